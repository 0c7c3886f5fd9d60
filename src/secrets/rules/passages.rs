//! Holds the rules for shapes that many services share, and for plain assignments.

use crate::secrets::assignment::is_a_secret_assignment;
use crate::secrets::checks::{
    decodes_to_a_token, has_a_token_header, holds_key_material, is_a_real_password,
    is_basic_credentials, is_drawn,
};
use crate::secrets::rules::{Rule, Shape};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "gcp-service-account-key",
        description: "the private key of a Google service account",
        remedy: "delete the key at console.cloud.google.com under service accounts",
        keywords: &[r#""private_key""#],
        pattern: r#""private_key"[ \t]{0,4}:\s{0,8}"(-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[^"]*)""#,
        shape: Shape::Passage,
        check: holds_key_material,
        examples: &[&[
            r#""private_key": "-----BEGIN "#,
            "PRIVATE KEY-----\\nUCcZJHwfClCPS8Cys6x3swng4WFlIOjFkjWWMZk3nt53vzhXeERuquF95VMoF2xI\\nREUOt6hrM4Rf52StmXmYYLSdMdiL3lE3VWIOOqSWu2aIlMhhvLcmELwSrPqGFgIs\\n-----END ",
            "PRIVATE KEY-----\\n\"",
        ]],
        counter_examples: &[&[
            r#""private_key": "-----BEGIN "#,
            "PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----\\n\"",
        ]],
    },
    Rule {
        id: "private-key",
        description: "a private key",
        remedy: "replace the key pair wherever its public half is trusted",
        keywords: &["private key-----", "private key block-----"],
        pattern: r#"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[\s>|*#"\x27,+]|\\[nrt]|\\u000a)*(?:[A-Za-z-]{4,20}: [^\r\n\\]{1,}(?:[\s>|*#"\x27,+]|\\[nrt]|\\u000a)+)*(?:[A-Za-z0-9+/=]{20,}(?:[\s>|*#"\x27,+]|\\[nrt]|\\u000a)*)+(?:[A-Za-z0-9+/]{0,19}={0,2}(?:[\s>|*#"\x27,+]|\\[nrt]|\\u000a)*-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"#,
        shape: Shape::Passage,
        check: holds_key_material,
        examples: &[
            &[
                "-----BEGIN RSA ",
                "PRIVATE KEY-----\nthD6Aq8eRwVEm2pEJZZrVENR9lQ5HyIFb4MwbBIzTS0KMktTzz4UpWvbaNeji8FQ\nanCWPsgau6X5pGlz3r9IqTNGXpohLzzLi5tm2VYtXx7tt7cdrCkDU1qN5g2FQiPi\n-----END RSA ",
                "PRIVATE KEY-----",
            ],
            &[
                "-----BEGIN OPENSSH ",
                "PRIVATE KEY-----\nTfTGViqDr9f0iNtCKXX07OEkQtKZicsjd7pGnnD9GVVLzpfKtHa9WEetHZzYcFFefyek3b\nMRYMQzqjqsA0Fg8ArPgvNTpeohzSf6vwjhfULIos0zsWBhF7jw",
            ],
            &[
                "> -----BEGIN EC ",
                "PRIVATE KEY-----\n> Proc-Type: 4,ENCRYPTED\n>\n> 14GFdG5MADToj5Imrb33mJdCRnzIwDRz5GjMpA1ZYlx9irFYXP06HNHDGRqPUFhI\n> abc=\n> -----END EC PRIVATE KEY-----",
            ],
        ],
        counter_examples: &[
            &["-----BEGIN ", "PRIVATE KEY-----\n***\n-----END PRIVATE KEY-----"],
            &[
                "-----BEGIN ",
                "PUBLIC KEY-----\nXyVCFaDgWbMtA3DREceQUpxmUqgD8bkupTckhew3xEGZJ8dSsaRULhiyvPXeyie2\n-----END PUBLIC KEY-----",
            ],
            &["a block that begins with -----BEGIN ", "PRIVATE KEY----- and goes on in words"],
        ],
    },
    Rule {
        id: "putty-private-key",
        description: "a PuTTY private key",
        remedy: "replace the key pair wherever its public half is trusted",
        keywords: &["private-lines:"],
        pattern: r"Private-Lines: [0-9]{1,3}\s{1,2}((?:[A-Za-z0-9+/=]{1,64}\s{1,2})+)",
        shape: Shape::Passage,
        check: is_drawn,
        examples: &[&[
            "Private-Lines: ",
            "2\nRLcRldZyuRGkjroZzM0S9KUNMsMNhzB8Pt7mPOqIk6xivVdYyADYCnfE9GXsXyl6\nhjmGSgwtfjsxehD1Fdhq4bNBx5zdLtiunWt9Cegp\n",
        ]],
        counter_examples: &[&["Private-Lines: 0\n"]],
    },
    Rule {
        id: "jwt",
        description: "a JSON web token",
        remedy: "end the session or rotate the signing key",
        keywords: &["eyj"],
        pattern: r"(?:\b|_|\\[nrt])(ey[A-Za-z0-9_-]{15,}\.ey[A-Za-z0-9_/+-]{12,}(?:\.[A-Za-z0-9_/+=-]*)?|ey[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})",
        shape: Shape::Passage,
        check: has_a_token_header,
        examples: &[&[
            "eyJhbGciOiJIUzI1NiJ9",
            ".eyJzdWIiOiI5NDcyIn0.QLVksl2HpYulf1fCSyagkHD33OweYV6XFAT6jqNBvcw",
        ]],
        counter_examples: &[
            &["eyJ..."],
            &[
                "eyJuYW1lIjoiSm9uIn0",
                ".eyJzdWIiOiI5NDcyIn0.3hH0qKFiXWw3UpbeiZp5D9iXZ5RIWHHPivoDOoSBDLY",
            ],
        ],
    },
    Rule {
        id: "jwt-in-base64",
        description: "a JSON web token in base64",
        remedy: "end the session or rotate the signing key",
        keywords: &["zxlk", "zxlj", "zxlc"],
        pattern: r"ZXl[A-Za-z0-9+/_-]{40,}={0,2}",
        shape: Shape::Token,
        check: decodes_to_a_token,
        examples: &[&[
            "ZXlKaGJHY2lPaUpJVXpJMU5pSjku",
            "ZXlKemRXSWlPaUk1TkRjeUluMC4aafG5BJYz0u8KNIEWauQ4b1a0T9tPrIRxgoi4HePkxt",
        ]],
        counter_examples: &[&["ZXlKaGJHY2lPaUpJVXpJMU5pSjk="]],
    },
    Rule {
        id: "url-password",
        description: "an address with a password in it",
        remedy: "change the password on that host",
        keywords: &["://"],
        pattern: r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://([^\s:/?#@"\x27`<>\\]*:)([^\s/?#"\x27`<>@\\]{3,})@[A-Za-z0-9\[%$({_-]"#,
        shape: Shape::Named,
        check: is_a_real_password,
        examples: &[&["postgres://app:", "4SfdWyvo8x2GGmJ2@db.internal/app"]],
        counter_examples: &[
            &["postgres://user:password@localhost/db"],
            &["https://user:", "${PASSWORD}@host"],
            &["ssh://git@github.com:22/x"],
        ],
    },
    Rule {
        id: "authorization-header",
        description: "credentials in an Authorization header",
        remedy: "revoke the credentials that it carries",
        keywords: &["bearer", "authorization"],
        pattern: r#"(?i:\bbearer[ \t]{1,4}|authorization["\x27]?[ \t]{0,2}[:=,][ \t]{0,4}["\x27]?(?:token|apikey|api-key|key)?[ \t=]{0,3})["\x27]?([A-Za-z0-9._~+/-]{16,}={0,2})"#,
        shape: Shape::Named,
        check: is_drawn,
        examples: &[&["Authorization: Bearer ", "jOe3AK3vGcvpJ0zEFHu01VRZEfMc8ZOFc34ZTIIH"]],
        counter_examples: &[
            &["Authorization: Bearer <token>"],
            &["Bearer $TOKEN"],
            &["bearer AuthenticationProviderFactory2"],
        ],
    },
    Rule {
        id: "basic-authorization",
        description: "a name and password in an Authorization header",
        remedy: "change the password",
        keywords: &["basic"],
        pattern: r"(?i:\bbasic)[ \t]{1,4}([A-Za-z0-9+/]{8,}={0,2})(?:[^A-Za-z0-9+/=]|$)",
        shape: Shape::Named,
        check: is_basic_credentials,
        examples: &[&["Authorization: Basic ", "YWxhZGRpbjpvcGVuLXNlc2FtZS0wOTE="]],
        counter_examples: &[
            &["Basic instructions"],
            &["Authorization: Basic ", "dXNlcjpwYXNzd29yZA=="],
        ],
    },
    Rule {
        id: "command-line-password",
        description: "a password on a command line",
        remedy: "change the password",
        keywords: &["curl"],
        pattern: r#"curl[^\r\n]{0,120}?[ \t](?:-u|--user)[ \t=]{0,2}["\x27]?([^\s:"\x27]{1,60}:)([^\s"\x27]{6,100})"#,
        shape: Shape::Named,
        check: is_a_real_password,
        examples: &[&["curl -s -u ops:", "p7F1Ou8dpQd31q https://db.internal"]],
        counter_examples: &[
            &["curl -u user:password https://host"],
            &[r#"curl -u "$NAME:$PASSWORD" host"#],
        ],
    },
    Rule {
        id: "secret-assignment",
        description: "a secret with its name",
        remedy: "replace it where it was issued, and keep it in a vault",
        keywords: &["passw", "passphrase", "pwd", "secret", "token", "credential", "key"],
        pattern: r#"(?i:(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|(?:(?:api|access|private|auth)[_. -]?)?key)[A-Za-z0-9_.$-]*(?:["\x27`)\]\\:]{0,4})(?:[ \t:]{1,3}&?(?:\x27static )?(?i:string|str)\b)?[ \t]{0,8}(?:=>|:{0,3}=|\.=|\?=|[!=]={1,2}|:|,|[ \t]is(?:[ \t]|:)|>\s*|,?[ \t]{1,8}["\x27]?value["\x27]?[ \t]{0,4}[:=]|[ \t])[ \t]{0,8})(?:[@bruLf]?\\{0,2}"([^"\\\r\n]{8,})|[@bruLf]?\\{0,2}\x27([^\x27\\\r\n]{8,})|`([^`\r\n]{8,})|([^\s"\x27`,;<>(){}\[\]\\]{8,}))"#,
        shape: Shape::Named,
        check: is_a_secret_assignment,
        examples: &[
            &["DB_PASSWORD=", "XL0veWmupky49SJ5"],
            &[r#""clientSecret": ""#, r#"DUvKPDj5iU6i3ACWvRHrri7mcaAhxfFh""#],
            &["the api key is ", "AbNn13YdqJHUmQVh3WVxkaBzzjWCL6YM"],
        ],
        counter_examples: &[
            &[r#"password = ""#, r#"correct horse battery""#],
            &["SECRET_KEY: ${SECRET_KEY}"],
            &["token = ", "request.headers.authorization"],
            &["secret_id: ", "4d6d278d-1aa4-ecd7-a61a-262f16c5d828"],
            &[
                r#""integrity": "sha512-"#,
                r#"M7EkocSaNMFBKWti4bELdgr0RvncIVxKcGMzMdB3btPIItq5h0apC5CDcoaUjX1Cel82L8gU6nqFAdmjl4T9j1==""#,
            ],
            &[r#"commit_key = ""#, r#"f28d6930974b10ac1dd00ba16a7d6909fac6b317""#],
        ],
    },
];
