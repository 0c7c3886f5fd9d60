//! Verifies the checksum at the end of a token, as GitHub and npm write it.
//!
//! Thirty random characters are followed by their CRC-32 in six digits of base 62
//! (<https://github.blog/engineering/behind-githubs-new-authentication-token-formats/>).

const BODY: usize = 30;
const CHECKSUM: usize = 6;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// True for `prefix_` with a body and the checksum that it should have.
pub(super) fn ends_with_its_checksum(token: &str) -> bool {
    let Some((_, rest)) = token.rsplit_once('_') else {
        return false;
    };
    rest.len() == BODY + CHECKSUM
        && rest.is_ascii()
        && base_62(crc_32(&rest.as_bytes()[..BODY])) == rest.as_bytes()[BODY..]
}

/// The CRC of ISO-HDLC, Ethernet and zip; short texts need no table.
fn crc_32(bytes: &[u8]) -> u32 {
    let crc = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    });
    !crc
}

fn base_62(mut number: u32) -> [u8; CHECKSUM] {
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[number as usize % DIGITS.len()];
        number /= 62;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::{base_62, crc_32, ends_with_its_checksum};

    #[test]
    fn the_check_value_of_the_standard_is_right() {
        assert_eq!(crc_32(b"123456789"), 0xcbf4_3926);
        assert_eq!(&base_62(62 * 62 + 61), b"00010z");
    }

    #[test]
    fn a_token_is_known_by_its_checksum() {
        // The body is one letter, which is a placeholder, but the checksum is right.
        let body = "a".repeat(30);
        let checksum = String::from_utf8(base_62(crc_32(body.as_bytes())).to_vec()).unwrap();
        assert!(ends_with_its_checksum(&format!("ghp_{body}{checksum}")));
        assert!(!ends_with_its_checksum(&format!("ghp_{body}000000")));
        assert!(!ends_with_its_checksum("ghp_short"));
    }
}
