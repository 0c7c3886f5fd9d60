//! The current run of the operating system.

use std::path::Path;
use std::sync::LazyLock;

use super::outside;

/// Returns the id of the current boot; empty where unknown, so that nothing is trusted to have survived.
pub(crate) fn boot_id() -> &'static str {
    static BOOT: LazyLock<String> = LazyLock::new(|| {
        let path = Path::new("/proc/sys/kernel/random/boot_id");
        let text = outside::read_text(path).ok().flatten().unwrap_or_default();
        text.trim().to_owned()
    });
    &BOOT
}
