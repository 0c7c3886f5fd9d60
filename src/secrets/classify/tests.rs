//! Which names with which values are secrets.

use crate::secrets::{Scanner, Settings};

fn check(text: &str, expected: bool) {
    let findings = Scanner::new(Settings::default()).scan(text);
    assert_eq!(!findings.is_empty(), expected, "{text}");
}

#[test]
fn a_chosen_password_is_a_secret() {
    check("password: Winter-Is-2-Cold!", true);
    check("password=hunter22", true);
    check("MYSQL_PWD='aB3$kk91'", true);
}

#[test]
fn a_description_of_a_password_is_none() {
    check("password: at-least-8-characters", false);
    check("password: UserSchemaV2", false);
    check("password: secret123", false);
    check("password = \"correct horse battery staple\"", false);
}

#[test]
fn an_expression_is_no_secret() {
    check("token = req.headers.authorization", false);
    check("api_key = os.environ[\"KEY\"]", false);
    check("let token = next_token_from_stream2(&mut s);", false);
    check("key = self._lib.NID_aes_256_cbc_x2", false);
    check("sign(name, sign_password, keystore=None)", false);
    check("all: t.ctrlKey||t.metaKey||t.x27", false);
    check("secret: crate::vault::Secret2048,", false);
}

#[test]
fn a_comma_assigns_between_quoted_strings() {
    check("setProperty(\"API_TOKEN\", \"k8Jq2mXw7TzP4vRb\")", true);
    check("f(API_TOKEN, \"k8Jq2mXw7TzP4vRb\")", false);
}

#[test]
fn no_letter_of_a_value_is_taken_for_a_string_prefix() {
    let redact = |text: &str| Scanner::new(Settings::default()).redact(text).into_owned();
    let expected = "token=[withheld: secret-assignment]";
    assert_eq!(redact("token=b8Jq2mXw7TzP4vRb"), expected);
    assert_eq!(redact("token=f'k8Jq2mXw7TzP4vRb'"), "token=f'[withheld: secret-assignment]'");
}

#[test]
fn a_declaration_assigns() {
    check("var apiToken string = \"k8Jq2mXw7TzP4vRb\"", true);
    check("const API_TOKEN: &str = \"k8Jq2mXw7TzP4vRb\";", true);
}

#[test]
fn the_key_of_a_wallet_is_told_from_other_numbers() {
    let number = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
    check(&format!("private_key = \"{number}\""), true);
    check(&format!("key = \"{number}\""), false);
}

#[test]
fn a_list_of_variables_names_its_values() {
    check(r#"{"name":"DB_PASSWORD","value":"k8Jq2mXw7TzP"}"#, true);
    check("- name: DB_PASSWORD\n  value: k8Jq2mXw7TzP\n", true);
    check("- name: DB_PASSWORD\n  valueFrom: { secretKeyRef: db2Access9Name }\n", false);
}

#[test]
fn a_sentence_may_say_what_for() {
    check("The API token for staging: k8Jq2mXw7TzP4vRb", true);
    check("the password of the old box is: Winter-2024!x", true);
    check("a token for everyone: UserSchemaV2Provider", false);
}

#[test]
fn a_place_is_no_secret() {
    check("secret: https://vault.internal/v1/app/a8Kx0Qz71LmPq", false);
    check("private_key: ~/.ssh/id_ed25519_work_2024", false);
    check("token: /run/secrets/app_token_v2", false);
}

#[test]
fn a_hash_or_number_is_no_secret() {
    check("key: 0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b", false);
    check("cache_key = \"9f86d081884c7d659a2feaa0c55ad015\"", false);
    check("token_id: 7f3b2c1d-9e8f-4a6b-8c7d-1e2f3a4b5c6d", false);
    check("secret: 7f3b2c1d-9e8f-4a6b-8c7d-1e2f3a4b5c6d", false);
}

#[test]
fn a_hash_is_no_key_where_its_purpose_says_so() {
    let [short, long] = ["9f86d081884c7d659a2feaa0c55ad015", "a3bf4f1b2b0b822cd15d6c15b0f00a08"];
    check(&format!("Content key of the cache entry: {short}{long}"), false);
    check(&format!("the key for the primary index is {short}"), false);
    check(&format!("Lookup key of the page in storage: {short}{long}"), false);
    check(&format!("The key of the payment gateway: {short}{long}"), true);
    check(&format!("The API token for the cache: {short}{long}"), true);
}

#[test]
fn the_key_of_a_wallet_may_stand_behind_a_blank() {
    let number = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
    for text in [
        format!("cast send --private-key 0x{number}"),
        format!("a wallet, private key 0x{number}"),
        format!("its private key was {number}"),
        format!("**Private key** (Sepolia): `0x{number}`"),
    ] {
        check(&text, true);
    }
    check(&format!("the owner of the private key signed 0x{number}"), false);
    check(&format!("--block 0x{number}"), false);
}

#[test]
fn a_refused_value_does_not_hide_the_next_one() {
    check("token: password: k8Jq2mXw7TzP4vRb", true);
}
