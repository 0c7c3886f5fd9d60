//! Holds the rules for keys of wallets and for keys in JSON.

use crate::secrets::checks::{is_a_phrase, is_a_row_of_key_bytes, is_drawn, is_not_a_placeholder};
use crate::secrets::rule::{SecretRule, Shape};

pub(super) const RULES: &[SecretRule] = &[
    SecretRule {
        id: "jwk-private-key",
        description: "the private part of a JSON web key",
        remedy: "replace the key pair wherever its public half is trusted",
        keywords: &["kty"],
        pattern: r#"(?:\bkty\b[^{}]*?\b(?:d|k|p|q)["\x27]?\s{0,4}:\s{0,4}["\x27]([A-Za-z0-9_=+/-]{20,})["\x27]|\b(?:d|k)["\x27]?\s{0,4}:\s{0,4}["\x27]([A-Za-z0-9_=+/-]{20,})["\x27][^{}]*?\bkty\b)"#,
        shape: Shape::Passage,
        check: is_drawn,
        examples: &[&[
            r#"{"kty":"OKP","crv":"Ed25519","d":"#,
            r#""ZGK2YKH-zD1pc6CZXXyReUX0p8p8pd0qmd011lxTuZw"}"#,
        ]],
        counter_examples: &[&[
            r#"{"kty":"EC","crv":"P-256","x":"#,
            r#""ZGK2YKH-zD1pc6CZXXyReUX0p8p8pd0qmd011lxTuZw"}"#,
        ]],
    },
    SecretRule {
        id: "key-bytes",
        description: "a private key as a list of bytes",
        remedy: "replace the key pair wherever its public half is trusted",
        keywords: &[
            "secretkey",
            "privatekey",
            "secret_key",
            "private_key",
            "keypair",
            "secret key",
            "private key",
            "solana",
            "id.json",
        ],
        pattern: concat!(
            r#"(?:(?i:secret_?key|private_?key|keypair)["\x27]?\s{0,4}[:=]\s{0,4}(?:(?i:new\s)?[A-Za-z0-9_.]{0,30}\()?\[\s{0,8}([0-9]{1,3}(?:\s{0,8},\s{0,8}[0-9]{1,3}){31,127})\s{0,8}\]"#,
            // The file that `solana-keygen` writes has no name in it.
            r#"|(?i:solana|id\.json|keypair|(?:secret|private) key)[^\[\]]{0,80}\[\s{0,8}([0-9]{1,3}(?:\s{0,8},\s{0,8}[0-9]{1,3}){63})\s{0,8}\])"#,
        ),
        shape: Shape::Passage,
        check: is_a_row_of_key_bytes,
        examples: &[
            &[
                "secretKey: [",
                "100,98,182,96,161,254,204,61,105,115,160,153,93,124,145,121,69,244,167,202,124,165,221,42,153,221,53,214,92,83,185,156]",
            ],
            &[
                "Solana id.json:\n\n```json\n[",
                "141,7,203,88,19,250,164,32,97,226,45,178,3,119,240,66,151,28,213,84,175,9,130,247,56,101,192,23,148,71,219,36,",
                "160,93,5,232,117,44,189,62,207,14,136,251,79,170,27,98,243,50,125,216,8,183,74,145,229,38,111,196,57,162,90,20]\n```",
            ],
        ],
        counter_examples: &[
            &["secretKey: [1, 2, 3]"],
            &[
                "the signature of a Solana transaction: [",
                "141,7,203,88,19,250,164,32,97,226,45,178,3,119,240,66,151,28,213,84,175,9,130,247,56,101,192,23,148,71,219,36,",
                "160,93,5,232,117,44,189,62,207,14,136,251,79,170,27,98,243,50,125,216,8,183,74,145,229,38,111,196,57,162,90,20]",
            ],
        ],
    },
    SecretRule {
        id: "wallet-key",
        description: "the private key of a wallet",
        remedy: "move everything to a new wallet at once",
        keywords: &[
            "xprv", "yprv", "zprv", "tprv", "uprv", "vprv", "wallet", "wif", "bitcoin", "btc",
            "sweep", "import", "stellar", "seed", "xlm", "priv", "litecoin",
        ],
        pattern: concat!(
            r#"(?:\b([xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,112})(?:[^A-Za-z0-9]|$)"#,
            r#"|(?i:wallet|wif|bitcoin|btc|sweep|import|priv|litecoin)[^\r\n]{0,60}?\b([5KLT9c6][1-9A-HJ-NP-Za-km-z]{50,51})(?:[^A-Za-z0-9]|$)"#,
            r#"|(?i:stellar|seed|xlm|wallet)[^\r\n]{0,60}?\b(S[A-Z2-7]{55})(?:[^A-Za-z0-9]|$))"#,
        ),
        shape: Shape::NamedKey,
        check: is_drawn,
        examples: &[&["wallet import: ", "5K7fUm45ATVxqFBGcevSaGmKHjVtamCVKwyCg3YU8ZPJo34qWmu"]],
        counter_examples: &[&["import KubernetesServiceAccountTokenProjectionVolumeSources"]],
    },
    SecretRule {
        id: "ethereum-key",
        description: "the private key of an Ethereum account",
        remedy: "move everything to a new account at once",
        keywords: &[
            "deployer",
            "wallet",
            "signer",
            "ethereum",
            "relayer",
            "funder",
            "evm",
            "eth_",
            "eth-",
            "minter",
            "owner",
            "faucet",
            "private key",
        ],
        pattern: r#"(?:(?i:deployer|wallet|signer|eth(?:ereum)?|relayer|funder|evm|minter|owner|faucet|private)[A-Za-z0-9 _.\x27"-]{0,24}(?i:key|pk|secret)["\x27]?(?:\s{0,4}[:=]|\sis)\s{0,4}["\x27]?(0x[0-9a-fA-F]{64})\b|(?i:private key)["\x27`*]{0,3}(?:\s\([^()\r\n]{1,40}\))?(?:\s{0,4}[:=]|\s(?:is|was))?["\x27`*]{0,3}\s{0,4}["\x27`]?((?:0x)?[0-9a-fA-F]{64})\b)"#,
        shape: Shape::NamedKey,
        check: is_not_a_placeholder,
        examples: &[
            &[
                "deployer key: ",
                "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318",
            ],
            &[
                "a wallet with the private key ",
                "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318",
            ],
        ],
        counter_examples: &[&["owner key: 0x<key>"]],
    },
    SecretRule {
        id: "seed-phrase",
        description: "the seed phrase of a wallet",
        remedy: "move everything to a new wallet at once",
        keywords: &[
            "mnemonic",
            "seed phrase",
            "seed_phrase",
            "seedphrase",
            "recovery phrase",
            "recovery_phrase",
            "seed:",
            "seed =",
            "seed=",
            "seed words",
            "backup phrase",
            "recovery words",
        ],
        pattern: r#"(?i:(?:mnemonic|(?:seed|recovery|backup)[ _-]?(?:phrase|words))[^:=\r\n]{0,60}?|seed)["\x27]?[ \t]{0,4}(?:=>|:=|[:=]|[ \t]is|[ \t]are)[ \t]{0,4}["\x27`]?((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8})(?:["\x27`.\r\n]|$)"#,
        shape: Shape::Named,
        check: is_a_phrase,
        examples: &[&[
            "mnemonic: ",
            "witch collapse practice feed shame open despair creek road again ice least",
        ]],
        counter_examples: &[
            &[
                "recovery phrase of a user: ",
                "twelve words that the wallet shows once and then never again",
            ],
            &["mnemonic: a word that helps one to remember what the letters of a code mean"],
            &[
                "mnemonic: ",
                "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
            ],
        ],
    },
];
