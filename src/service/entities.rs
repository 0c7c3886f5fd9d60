//! Finds what a text names: people, organizations, tools, projects, concepts. By rules, without a model.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::request::Entity;
use crate::text::slug;

/// Characters of a slug at most.
const SLUG: usize = 60;

/// Names of a memory at most.
const MOST: usize = 40;

/// Tools and languages by their names, as they are written.
const TOOLS: &[&str] = &[
    "AWS",
    "Ansible",
    "Azure",
    "Bash",
    "Celery",
    "Chrome",
    "Claude",
    "Cursor",
    "Django",
    "Docker",
    "Elasticsearch",
    "FalkorDB",
    "FastAPI",
    "Flask",
    "GCP",
    "Git",
    "GitHub",
    "GitLab",
    "Grafana",
    "GraphQL",
    "Java",
    "JavaScript",
    "Jenkins",
    "Jira",
    "Kafka",
    "Kotlin",
    "Kubernetes",
    "Linux",
    "MariaDB",
    "MongoDB",
    "MySQL",
    "Next.js",
    "Nginx",
    "Node.js",
    "OAuth",
    "OpenAI",
    "PHP",
    "PostgreSQL",
    "Postgres",
    "Prometheus",
    "PyTorch",
    "Python",
    "Qdrant",
    "RabbitMQ",
    "React",
    "Redis",
    "Ruby",
    "Rust",
    "SQLAlchemy",
    "SQLite",
    "Slack",
    "Svelte",
    "Swift",
    "TensorFlow",
    "Terraform",
    "TypeScript",
    "VS Code",
    "Vite",
    "Vue",
    "WordPress",
];

/// Words that begin with a capital and name no person.
const NO_NAMES: &[&str] = &[
    "A",
    "After",
    "All",
    "Also",
    "An",
    "And",
    "Any",
    "April",
    "As",
    "At",
    "August",
    "Because",
    "Before",
    "But",
    "By",
    "Can",
    "Chose",
    "December",
    "Decision",
    "Do",
    "During",
    "Each",
    "February",
    "Files",
    "First",
    "For",
    "Friday",
    "From",
    "He",
    "Her",
    "His",
    "How",
    "I",
    "If",
    "Image",
    "Impact",
    "In",
    "Is",
    "It",
    "Its",
    "January",
    "July",
    "June",
    "Last",
    "Let",
    "March",
    "May",
    "Monday",
    "My",
    "Need",
    "New",
    "Next",
    "No",
    "Not",
    "November",
    "Now",
    "October",
    "On",
    "Or",
    "Our",
    "Root",
    "Saturday",
    "September",
    "She",
    "So",
    "Some",
    "Sunday",
    "That",
    "The",
    "Their",
    "Then",
    "There",
    "These",
    "They",
    "This",
    "Those",
    "Thursday",
    "To",
    "Tuesday",
    "Use",
    "User",
    "Using",
    "Was",
    "We",
    "Wednesday",
    "Were",
    "What",
    "When",
    "Where",
    "Which",
    "While",
    "Who",
    "Why",
    "Will",
    "With",
    "Yes",
    "You",
    "Your",
];

/// What follows a person's name.
const VERBS: &str = "said|says|told|asked|reviews?|reviewed|wrote|prefers?|preferred|likes?|decided|suggested|reported|fixed|\
    mentioned|joined|owns|leads|works|worked|approved|wants?|thinks|built|merged|will";

static TOOL_NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let names: Vec<String> = TOOLS.iter().map(|tool| regex::escape(tool)).collect();
    Regex::new(&format!(r"\b(?:{})\b", names.join("|"))).expect("a test compiles it")
});

static PEOPLE: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    let name = r"([A-Z][a-z]+(?: [A-Z][a-z]+)?)";
    [
        format!(r"\b{name} (?:{VERBS})\b"),
        format!(r"\b(?:with|by|from|met|ask|told|tell|for|and) {name}\b"),
        format!(r"(?m)^{name}: "),
    ]
    .map(|pattern| Regex::new(&pattern).expect("a test compiles it"))
});

static ORGANIZATIONS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"\b((?:[A-Z][\w&]+ )+(?:Inc|Corp|LLC|Ltd|GmbH|Foundation|University|Labs|Team))\b";
    Regex::new(pattern).expect("a test compiles it")
});

static PROJECTS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    [
        r#"\b(?:project|repo|repository) [`"']?([A-Za-z][\w-]{2,})"#,
        r"`([a-z][a-z0-9]*(?:-[a-z0-9]+)+)`",
    ]
    .map(|pattern| Regex::new(pattern).expect("a test compiles it"))
});

/// Finds what a text names, each name once, in the order of category and name.
pub(crate) fn entities(content: &str) -> Vec<Entity> {
    let mut found: BTreeSet<Entity> = BTreeSet::new();
    let mut add = |category: &str, name: &str| {
        let slug = slug(name, SLUG);
        if !slug.is_empty() && found.len() < MOST {
            let (category, name) = (category.to_owned(), name.to_owned());
            found.insert(Entity { category, name, slug });
        }
    };
    for tool in TOOL_NAMES.find_iter(content) {
        add("tools", tool.as_str());
    }
    for organization in ORGANIZATIONS.captures_iter(content) {
        add("organizations", &organization[1]);
    }
    for project in PROJECTS.iter().flat_map(|pattern| pattern.captures_iter(content)) {
        add("projects", &project[1]);
    }
    for person in PEOPLE.iter().flat_map(|pattern| pattern.captures_iter(content)) {
        let name = person_in(&person[1]);
        name.into_iter().for_each(|name| add("people", name));
    }
    found.into_iter().collect()
}

/// Returns the name without a first word that is none; nothing where none is left.
fn person_in(name: &str) -> Option<&str> {
    let is_name = |word: &str| !NO_NAMES.contains(&word) && !TOOLS.contains(&word);
    match name.split_once(' ') {
        Some((first, last)) if is_name(first) && is_name(last) => Some(name),
        Some((first, _)) if is_name(first) => Some(first),
        Some((_, last)) => Some(last).filter(|last| is_name(last)),
        None => Some(name).filter(|name| is_name(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: &str, expected: &[&str]) {
        let found: Vec<String> = entities(content).iter().map(Entity::tag).collect();
        assert_eq!(found, expected, "{content}");
    }

    #[test]
    fn names_are_found_by_what_stands_beside_them() {
        check(
            "We usually deploy on Fridays with Docker and Sarah reviews the build",
            &["entity:people:sarah", "entity:tools:docker"],
        );
        check(
            "Caroline: I met Ada Lovelace at Acme Labs",
            &[
                "entity:organizations:acme-labs",
                "entity:people:ada-lovelace",
                "entity:people:caroline",
            ],
        );
        check(
            "The project verygood uses `agent-memory`",
            &["entity:projects:agent-memory", "entity:projects:verygood"],
        );
        check(
            "Chose PostgreSQL over MongoDB.",
            &["entity:tools:mongodb", "entity:tools:postgresql"],
        );
        check("when will it end? The end.", &[]);
    }
}
