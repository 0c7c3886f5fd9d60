//! Vectors of memories: exact in four bytes a number, and coarse in one, by which most are passed over.

use rusqlite::{OptionalExtension, params};

use super::view::TenantView;
use crate::error::Result;

/// How many times as many as are wanted are compared exactly.
const EXACT: usize = 4;

impl TenantView<'_> {
    /// Returns how many numbers a vector of this tenant has; none as long as there is no vector.
    pub(crate) fn vector_size(&self) -> Result<Option<usize>> {
        let sql = "SELECT length(whole) / 4 FROM vectors JOIN memories USING(row)
            WHERE vectors.tenant = ?1 AND deleted IS NULL LIMIT 1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([self.tenant], |row| row.get(0)).optional()?)
    }

    pub(crate) fn count_vectors(&self) -> Result<usize> {
        let sql = "SELECT count(*) FROM vectors JOIN memories USING(row)
            WHERE vectors.tenant = ?1 AND deleted IS NULL";
        Ok(self.connection.prepare_cached(sql)?.query_row([self.tenant], |row| row.get(0))?)
    }

    pub(crate) fn keep_vector(&self, row: i64, vector: &[f32]) -> Result<()> {
        let unit = unit(vector);
        let whole: Vec<u8> = unit.iter().flat_map(|number| number.to_le_bytes()).collect();
        let CoarseVector { steps, scale } = CoarseVector::of(&unit);
        let steps: Vec<u8> = steps.iter().flat_map(|step| step.to_le_bytes()).collect();
        let sql = "INSERT OR REPLACE INTO vectors(row, tenant, whole, coarse, scale) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![row, self.tenant, whole, steps, scale];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    pub(crate) fn forget_vector(&self, row: i64) -> Result<()> {
        self.connection.prepare_cached("DELETE FROM vectors WHERE row = ?1")?.execute([row])?;
        Ok(())
    }

    pub(crate) fn vector_of(&self, row: i64) -> Result<Option<Vec<f32>>> {
        let sql = "SELECT whole FROM vectors WHERE row = ?1 AND tenant = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_row(params![row, self.tenant], |row| row.get::<_, Vec<u8>>(0));
        Ok(found.optional()?.map(|bytes| numbers(&bytes)))
    }

    /// Returns the memories whose vectors are closest, with the cosine, as far as `is_wanted` lets them through.
    pub(crate) fn nearest(
        &self,
        vector: &[f32],
        wanted: usize,
        is_wanted: impl Fn(i64) -> bool,
    ) -> Result<Vec<(i64, f64)>> {
        let unit = unit(vector);
        let question = CoarseVector::of(&unit);
        let sql = "SELECT vectors.row, coarse, scale FROM vectors JOIN memories USING(row)
            WHERE vectors.tenant = ?1 AND deleted IS NULL";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([self.tenant])?;
        let mut found: Vec<(i64, f32)> = Vec::new();
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            let Ok(coarse) = row.get_ref(1)?.as_blob() else { continue };
            if coarse.len() == question.steps.len() && is_wanted(number) {
                let scale: f32 = row.get(2)?;
                found.push((number, question.product(coarse) as f32 * scale));
            }
        }
        let most = wanted.saturating_mul(EXACT);
        if found.len() > most && most > 0 {
            found.select_nth_unstable_by(most - 1, |a, b| b.1.total_cmp(&a.1));
            found.truncate(most);
        }
        let mut exact = Vec::with_capacity(found.len());
        for (row, _) in found {
            let Some(other) = self.vector_of(row)? else { continue };
            let product: f32 = unit.iter().zip(&other).map(|(a, b)| a * b).sum();
            exact.push((row, f64::from(product)));
        }
        exact.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        exact.truncate(wanted);
        Ok(exact)
    }
}

/// Returns a vector of the same direction with the length 1; one without a direction stays.
fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    let scale =
        |number: &f32| if length > 0.0 { (f64::from(*number) / length) as f32 } else { *number };
    vector.iter().map(scale).collect()
}

/// A vector in whole steps.
struct CoarseVector {
    steps: Vec<i8>,
    /// How long a step is.
    scale: f32,
}

impl CoarseVector {
    /// The longest number has 127 steps.
    fn of(unit: &[f32]) -> Self {
        let greatest = unit.iter().fold(f32::MIN_POSITIVE, |most, number| most.max(number.abs()));
        let scale = greatest / 127.0;
        Self { steps: unit.iter().map(|number| (number / scale).round() as i8).collect(), scale }
    }

    /// Returns the product with the steps of another vector.
    fn product(&self, other: &[u8]) -> i32 {
        let product = |(a, b): (&i8, &u8)| i32::from(*a) * i32::from(i8::from_le_bytes([*b]));
        self.steps.iter().zip(other).map(product).sum()
    }
}

fn numbers(bytes: &[u8]) -> Vec<f32> {
    let read = |four: &[u8]| four.first_chunk().copied().map_or(0.0, f32::from_le_bytes);
    bytes.chunks_exact(4).map(read).collect()
}
