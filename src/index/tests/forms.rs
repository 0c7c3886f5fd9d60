//! A word is found in all its forms, in any script.

use super::*;

#[test]
fn identifiers_are_found_however_they_are_written() {
    let sandbox =
        Sandbox::new(&[("a.md", "# x\n\nrefreshToken\n"), ("b.md", "# y\n\nrefresh_token\n")]);
    for question in ["refreshToken", "refresh_token", "refresh-token", "refresh", "tokens"] {
        assert_eq!(sandbox.found(question).len(), 2, "{question}");
    }
}

#[test]
fn an_identifier_has_parts_in_any_alphabet() {
    for (text, questions) in [
        ("größeTabelle", ["Tabelle", "größe", "grosse", "größeTabelle"]),
        ("таблицаИмён", ["имена таблица", "имен", "таблица", "ТаблицаИмен"]),
        ("μέγεθος_πίνακα", ["πίνακα", "μεγεθος", "μέγεθοςΠίνακα", "μέγεθος-πίνακα"]),
    ] {
        let sandbox = Sandbox::new(&[("a.md", &format!("# a\n\nin {text} here\n"))]);
        for question in questions {
            assert_eq!(sandbox.found(question), ["a.md:1"], "{question}");
            assert!(!sandbox.find(question)[0].matches.is_empty(), "{question}");
        }
    }
}

#[test]
fn a_word_is_found_without_its_accents_in_any_script() {
    for (text, question) in [
        ("Άλφα", "αλφα"),
        ("Ο ΔΡΟΜΟΣ", "δρόμος"),
        ("Ёлка", "елка"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("Straße", "STRASSE"),
        ("Łódź", "lodz"),
        ("Øresund", "oresund"),
        ("Æsir", "aesir"),
        ("cœur", "coeur"),
        ("ﬁne", "fine"),
        ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "한글"),
    ] {
        let sandbox = Sandbox::new(&[("a.md", &format!("# a\n\n{text}\n"))]);
        assert_eq!(sandbox.found(question), ["a.md:1"], "{question}");
        assert_eq!(sandbox.found(text), ["a.md:1"], "{text}");
    }
}

#[test]
fn a_version_is_found_with_its_v_and_without() {
    let plums = ("a.md", "# Plums\n\n1 apple, 2 pears, 3 plums\n");
    let sandbox = Sandbox::new(&[plums, ("b.md", "# Version\n\nOnly v1.2.3 does.\n")]);
    assert_eq!(sandbox.found("1.2.3")[0], "b.md:1");
    assert_eq!(sandbox.found("v1.2.3")[0], "b.md:1");
    sandbox.write("c.md", "# Others\n\nSince 1.9.10 and v1.9.20.\n");
    for question in ["1.9.1", "v1.9.1", "v1.9.2", "1.9.2", "V1.9.1"] {
        assert_eq!(sandbox.found(question), ["c.md:1"], "{question}");
    }
}

#[test]
fn forms_of_a_word_and_unfinished_words_are_found() {
    let sandbox = Sandbox::new(&[("a.md", "# a\n\nShe went away; encryption stays.\n")]);
    for question in ["go", "going", "encrypt", "encrypted", "encry"] {
        assert_eq!(sandbox.found(question), ["a.md:1"], "{question}");
    }
    assert_eq!(sandbox.found("encry stays?"), ["a.md:1"]);
    assert_eq!(sandbox.found("encry?"), [""; 0]);
}

#[test]
fn an_unfinished_word_is_found_wherever_it_ends() {
    for word in [
        "performance",
        "security",
        "deployment",
        "responsible",
        "responsibilities",
        "configurable",
        "usefulness",
        "happiness",
        "authentication",
        "committing",
        "dependencies",
        "application",
        "effectively",
        "policy",
        "kubernetes",
        "retention",
        "observability",
        "people",
        "written",
        "indices",
        "found",
        "hidden",
        "children",
        "192.168.10.12",
        "v2.13.45",
    ] {
        let sandbox = Sandbox::new(&[("a.md", &format!("# a\n\nOn its {word} we look.\n"))]);
        let index = sandbox.refreshed().0;
        for end in 4..word.len() {
            assert_eq!(ask(&index, &word[..end]).len(), 1, "{}", &word[..end]);
        }
    }
}

#[test]
fn a_short_word_is_no_beginning_of_two_letters() {
    let sandbox = Sandbox::new(&[("a.md", "# a\n\nThe kernel, its data, a path, a server.\n")]);
    for question in ["where is the key", "which day", "how do we pay", "who may say"] {
        assert_eq!(sandbox.found(question), [""; 0], "{question}");
    }
}

#[test]
fn the_place_of_an_unfinished_word_is_shown() {
    let text =
        "# A\n\nFirst line of it.\n\nSecond line.\n\nThird line is about encryption of discs.\n";
    let sandbox = Sandbox::new(&[("a.md", text)]);
    for question in ["encry", "encrypt", "lines about encrypti"] {
        let hit = sandbox.find(question).remove(0);
        assert_eq!(hit.snippet, "Third line is about encryption of discs.", "{question}");
        let mut marked = hit.matches.iter().map(|(from, to)| &hit.snippet[*from..*to]);
        assert_eq!(marked.next_back(), Some("encryption"), "{question}");
    }
}

#[test]
fn an_archived_word_does_not_end_an_unfinished_one() {
    let sandbox =
        Sandbox::new(&[("archive/a.md", "# a\n\nA perform.\n"), ("b.md", "# b\n\nRotatio.\n")]);
    sandbox.write("modules/a.md", "# a\n\nThe performers.\n");
    sandbox.write("archive/b.md", "# b\n\nA rot.\n");
    assert_eq!(sandbox.found("rot"), ["b.md:1"]);
    assert_eq!(sandbox.found("perfor"), ["modules/a.md:1"]);
}

#[test]
fn a_word_that_is_left_out_does_not_end_an_unfinished_one() {
    let source = "<!-- @source: file a 9f3c2e1a4b5c confirmed 2026-11-20 -->\n";
    let rest =
        format!("# 2026-11-20\n<!-- @id: a -->\n{source}\nThe rotatio performers are secured.\n");
    let sandbox = Sandbox::new(&[
        ("modules/a.md", "# 2025-11-20\n\nA rot, a perfor, a securi.\n"),
        ("pitfalls.md", &rest),
    ]);
    let index = sandbox.refreshed().0;
    for text in ["the rot", "perfor", "securi"] {
        let whole = query(text);
        assert_eq!(lines(&index, &whole), ["modules/a.md:1"], "{text}");
        for narrowed in [
            Query { category: Some("pitfalls"), ..whole },
            Query { file: Some("pitfalls*"), ..whole },
            Query { since: Some("2026"), ..whole },
            Query { confidence: Some(Confidence::Confirmed), ..whole },
        ] {
            assert_eq!(lines(&index, &narrowed), ["pitfalls.md:1"], "{narrowed:?}");
        }
        let held = Query { category: Some("modules"), ..whole };
        assert_eq!(lines(&index, &held), ["modules/a.md:1"], "{text}");
    }
}

#[test]
fn a_deployment_is_what_was_deployed() {
    for (text, questions) in [
        ("Deployment", ["deploy", "deployed", "deploym", "Deployments"]),
        ("deploys", ["deployment", "deployer", "deploying", "deployable"]),
        ("Employment", ["employ", "employs", "employed", "employer"]),
        ("paying", ["payment", "payments", "paid", "pays"]),
        ("repaid", ["repayment", "repay", "repays", "repaying"]),
    ] {
        let sandbox = Sandbox::new(&[("a.md", &format!("# a\n\nThe {text} is here.\n"))]);
        for question in questions {
            assert_eq!(sandbox.found(question), ["a.md:1"], "{text} {question}");
        }
    }
}

#[test]
fn what_stands_in_a_text_without_blanks_is_found_by_any_of_its_characters() {
    let texts = [
        ("ja", "新しい認証方式を使う"),
        ("zh", "我们使用轮换令牌来登录系统"),
        ("th", "ระบบใช้รหัสผ่านใหม่ทุกวันที่นี่"),
        ("lo", "ລະບົບໃຊ້ລະຫັດຜ່ານໃໝ່ທຸກມື້"),
        ("km", "ប្រព័ន្ធប្រើពាក្យសម្ងាត់ថ្មីរាល់ថ្ងៃ"),
        ("my", "စနစ်သည်စကားဝှက်အသစ်ကိုသုံးသည်"),
        ("ko", "시스템은새로운비밀번호를사용한다"),
    ];
    let files = texts.map(|(name, text)| (format!("{name}.md"), format!("# x\n\n{text}\n")));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let sandbox = Sandbox::new(&files);
    let index = sandbox.refreshed().0;
    for (name, text) in texts {
        let characters: Vec<char> = text.chars().collect();
        for width in 1..=6 {
            for part in characters.windows(width) {
                let question: String = part.iter().collect();
                if !question.contains(char::is_alphanumeric) {
                    continue;
                }
                let hits = ask(&index, &question);
                let found: Vec<&str> = hits.iter().map(|hit| hit.file.as_str()).collect();
                let own = format!("{name}.md");
                assert!(found.contains(&own.as_str()), "{question}: {found:?}");
                assert!(width < 3 || found == [own], "{question}: {found:?}");
            }
        }
    }
}

#[test]
fn a_run_of_a_script_without_blanks_stands_above_its_scattered_pairs() {
    for (question, other) in [
        ("認証方式", "の"),
        ("轮换令牌", "的"),
        ("รหัสผ่าน", "ก"),
        ("ລະຫັດຜ່ານ", "ກ"),
        ("ពាក្យសម្ងាត់", "ក"),
        ("비밀번호", "가"),
    ] {
        let characters: Vec<char> = question.chars().collect();
        let pairs: Vec<String> = characters.windows(2).map(|pair| pair.iter().collect()).collect();
        let scattered = format!("# x\n\n{other}{}{other}\n", pairs.join(other));
        let exact = format!("# x\n\n{other}{question}{other}\n");
        let mut files = vec![("a.md", scattered.as_str()), ("b.md", exact.as_str())];
        files.extend(["c.md", "d.md", "e.md", "f.md", "g.md"].map(|path| (path, "# x\n\nother\n")));
        let sandbox = Sandbox::new(&files);
        assert_eq!(sandbox.found(question), ["b.md:1", "a.md:1"], "{question}");
    }
}
