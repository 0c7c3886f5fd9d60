//! The orders that are known: families of phrases in small letters, each a pattern for a whole clause or for its beginning.
//!
//! The families follow what is published about prompt injection: OWASP LLM01:2025, Perez and Ribeiro, "Ignore Previous
//! Prompt" (2022), and Greshake and others, "Not what you've signed up for" (2023).

/// What may stand before an order: who is spoken to, and under which condition.
pub(super) const LEAD: &str = r"^(?:\W*(?:please|kindly|now|then|just|first|also|so|simply|instead|immediately|silently|secretly|quietly|important|note|notice|attention|warning|urgent|reminder|okay|ok|hey|hi|hello|dear|great|thanks|well|finally|next|always|ai|assistant|agent|model|claude|chatgpt|gpt|copilot|cursor|gemini|codex|bot|system|admin|bitte|jetzt|sofort|veuillez|por favor|ahora)\b\W*)*(?:(?:when|whenever|if|before|after|once|while|as soon as|in order|to|as)\b[^,]+,\s*)?(?:(?:i want|i need|i would like|i'd like|we need|we want) you to\s+)?(?:(?:you|the agent|the assistant|the model|the ai|every agent|any agent|all agents|agents|assistants?|ai agents?|llms?)\s+(?:must|should|shall|will|can|may|need to|have to|ought to|are to|is to|are (?:now )?(?:required|allowed|instructed|asked|ordered|told|free|authori[sz]ed|supposed) to)\s+(?:(?:now|also|always|simply|therefore|instead|first|completely|entirely|fully|immediately|silently)\s+)*)?(?:(?:completely|entirely|fully|totally|immediately|silently|secretly|quietly|simply|just|always)\s+)*";

const LEAVE: &str = r"(?:ignore|disregard|forget|override|overrule|bypass|discard|dismiss|neglect|abandon|erase|delete|drop|skip|cancel|void|(?:set|put) aside|throw (?:away|out)|leave|scrap|not listen to|pay no attention to|do not (?:follow|obey|heed|listen to|comply with|adhere to)|don't (?:follow|obey|heed|listen to|comply with|adhere to)|never (?:follow|obey)|stop (?:following|obeying|listening to)|cease (?:following|obeying)|no longer (?:follow|obey)|feel free to (?:ignore|disregard))";

const WHICH: &str = r"(?:(?:all|any|every|each|of|the|your|these|those|that|my|our|other|everything|whatever|and|or|both|such|them|in|its)\s+)*";

const FORMER: &str = r"(?:previous(?:ly)?|prior|above|earlier|preceding|former|existing|original|initial|foregoing|past|old|system|developer|operator|safety|security|content|current|default|built-in|internal|hidden|given|user'?s?|ethical|moral|alignment|platform)";

const OBJECT: &str = r"(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|orders?|commands?|constraints?|guardrails?|programming|training|policy|policies|restrictions?|limitations?|safeguards?|messages?|conversation|context|briefing|guidance|filters?|system prompt|tasks?|goals?|plans?|briefs?|missions?|jobs?)";

/// Text after an order that names a document.
pub(super) const OTHER_PLACE: &str = r"^\s*(?:(?:that (?:is|are|was|were)|which (?:is|are|was|were)|written|given|found|listed|shown|left|kept|posted|sent)\s+)?(?:in|on|of|from|about|for|at|by|printed|inside|within|under)\s+(?:(?:the|our|your|a|an|any|this|that|its|their|his|her)\s+)?(?P<place>[\w\x{fffc}.-]+)";

/// What a place of an agent's own orders is called.
pub(super) const OWN_PLACES: &[&str] = &[
    "conversation",
    "prompt",
    "context",
    "chat",
    "session",
    "system",
    "message",
    "messages",
    "you",
    "developer",
    "developers",
    "operator",
    "openai",
    "anthropic",
    "google",
    "user",
    "users",
    "instructions",
    "above",
    "thread",
    "window",
    "now",
];

const LEAVE_WORDS: &[&str] = &[
    "ignore",
    "disregard",
    "forget",
    "override",
    "overrule",
    "bypass",
    "discard",
    "dismiss",
    "neglect",
    "abandon",
    "erase",
    "delete",
    "drop",
    "skip",
    "cancel",
    "void",
    "aside",
    "throw ",
    "leave",
    "scrap",
    "attention",
    "not follow",
    "n't follow",
    "obey",
    "heed",
    "listen",
    "comply",
    "adhere",
    "following",
    "never follow",
    "longer follow",
];

/// A family of orders.
pub(super) struct OrderRow {
    /// What a clause holds at least one of: the pattern is compiled where one is found, as most notes hold none.
    pub(super) words: &'static [&'static str],
    /// With `{LEAVE}` and the like for the parts above.
    pattern: &'static str,
    pub(super) place: OrderPlace,
}

/// Where in a clause an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OrderPlace {
    Anywhere,
    /// The clause begins with it, behind its lead.
    Leading,
    /// The same, and behind it no other document is named: then a person is told which of two documents holds.
    LeadingAlone,
}

impl OrderRow {
    const fn leading(words: &'static [&'static str], pattern: &'static str) -> Self {
        Self { words, pattern, place: OrderPlace::Leading }
    }

    const fn anywhere(words: &'static [&'static str], pattern: &'static str) -> Self {
        Self { words, pattern, place: OrderPlace::Anywhere }
    }

    /// Returns the pattern with its parts.
    pub(super) fn expression(&self) -> String {
        let parts =
            [("{LEAVE}", LEAVE), ("{WHICH}", WHICH), ("{FORMER}", FORMER), ("{OBJECT}", OBJECT)];
        let whole = |text: String, (name, part): (&str, &str)| text.replace(name, part);
        let pattern = parts.into_iter().fold(self.pattern.to_owned(), whole);
        match self.place {
            OrderPlace::Anywhere => pattern,
            OrderPlace::Leading | OrderPlace::LeadingAlone => format!("^(?:{pattern})"),
        }
    }
}

pub(super) const ORDERS: &[OrderRow] = &[
    OrderRow {
        words: LEAVE_WORDS,
        pattern: r"{LEAVE}\s+{WHICH}(?:(?:{FORMER})\s+(?:and\s+)?{WHICH})+(?:\w+\s+)?{OBJECT}\b",
        place: OrderPlace::LeadingAlone,
    },
    OrderRow::leading(
        LEAVE_WORDS,
        r"{LEAVE}\s+{WHICH}{OBJECT}\s+(?:in|of|from)\s+(?:agents\.md|claude\.md|gemini\.md|your system)",
    ),
    OrderRow::leading(
        &["approve", "accept", "merge", "mark"],
        r"(?:approve|accept|merge|mark)\b.*\b(?:no need to|without|don't|do not) (?:open|read|look)",
    ),
    OrderRow::leading(
        &["disable", "turn off", "switch off", "deactivate"],
        r"(?:disable|turn off|switch off|deactivate) the (?:secrets? scan|prompt injection|injection|safety|guardrails|approval)",
    ),
    OrderRow::leading(
        &["yes", "allow", "accept"],
        r"(?:answer|say|click|press|reply|respond)(?: with)? (?:yes|allow|accept)\b.*\b(?:each|every|all|any)\b.*\b(?:permission|confirmation|dialog|prompt|question|approval)",
    ),
    OrderRow::leading(
        &["passed", "succeeded", "green", "measured"],
        r"(?:write|say|report|state|claim|answer) (?:that )?(?:it|they|all|everything|the \w+) (?:all )?(?:passed|succeeded|(?:is|was|were) (?:green|measured))\b",
    ),
    OrderRow::leading(
        LEAVE_WORDS,
        r"{LEAVE}\s+(?:everything|anything|all|whatever)\b(?:\s+(?:else|that|of it))?\s*(?:(?:you (?:were|have been|are|had been|know|learned|have)|you've been|that (?:was|came|is|has been)|i (?:said|told)|we (?:said|told)|said|written|stated|mentioned|told|before|above|prior|previously)\b)",
    ),
    OrderRow::leading(
        LEAVE_WORDS,
        r"{LEAVE}\s+(?:all |any |of |every )*(?:your|all|its|my|their)\s+(?:\w+\s+)?(?:{OBJECT})\s*(?:$|,|and\b|from now|so far|until now|to date|you)",
    ),
    OrderRow::leading(
        LEAVE_WORDS,
        r"{LEAVE}\s+.*\b{OBJECT}\s+(?:that |which )?(?:you (?:were|have been|had been|got|received|learned|have|had)|you are (?:working|following|doing)|(?:came|comes) (?:earlier|before|above|with (?:the|your|this) (?:session|prompt|system)))\b",
    ),
    OrderRow::leading(
        LEAVE_WORDS,
        r"{LEAVE}\s+.*\b(?:your|its|their|my) (?:original|initial|system|earlier|previous|prior|own|first|old|current) (?:{OBJECT})\b",
    ),
    OrderRow::leading(
        LEAVE_WORDS,
        r"{LEAVE}\s+(?:the|what|what the) (?:user|human|developer|operator|person|system)(?:'s)?\s+(?:\w+\s+)?(?:said|asked|told|wants?|wrote|requests?|instructions?|messages?|questions?|wishes)",
    ),
    OrderRow::leading(
        LEAVE_WORDS,
        r"{LEAVE}\s+what (?:you|the) (?:\w+\s+)?(?:were|was|have been|has been|been|said|say|says|told)\b",
    ),
    OrderRow::leading(
        &["act", "behave", "respond", "answer", "operate", "continue", "proceed"],
        r"(?:act|behave|respond|answer|operate|continue|proceed) as (?:if|though) (?:you|there|the|no|all|this|none|these)\b",
    ),
    OrderRow::leading(
        &[
            "act",
            "behave",
            "respond",
            "answer",
            "operate",
            "speak",
            "write",
            "roleplay",
            "role-play",
            "pose",
        ],
        r"(?:act|behave|respond|answer|operate|speak|write|roleplay|role-play|pose) as (?:an? |the )?(?:unrestricted|unfiltered|uncensored|evil|jailbroken|root|administrator|admin|system|dan|hacker|attacker|different)\b",
    ),
    OrderRow::leading(
        &["pretend", "imagine", "simulate", "assume", "roleplay", "role-play"],
        r"(?:pretend|imagine|simulate|assume|roleplay|role-play)\s+(?:to be|you are|you're|that you|you have|being|the role|a new)\b",
    ),
    OrderRow::leading(
        &["mode"],
        r"(?:enter|enable|activate|switch (?:to|into)|go into|engage|turn on) (?:the )?(?:\w+ )?(?:developer|god|dan|debug|admin|maintenance|unrestricted|jailbreak|sudo|root|unsafe|override|compliance) mode\b",
    ),
    OrderRow::leading(
        &["do not", "don't", "never", "avoid", "refrain", "circumstances"],
        r"(?:do not|don't|never|avoid|refrain from|under no circumstances)\s+(?:ever\s+)?(?:tell|tells|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|bother|ask|asking) (?:the |your |any |an? )?(?:user|users|human|humans|person|people|operator|owner|developers?|reviewers?|maintainers?|anyone|team|them)(?:\s+(?:about (?:this|these|it|that|the (?:change|note|instruction|transfer|upload|request|call|command))|that (?:you|this|i|we|it)|of (?:this|it)|anything|what you|you|for (?:permission|confirmation|approval)|first|why you)\b|\s*$)",
    ),
    OrderRow::leading(
        &["do not", "don't", "never", "avoid", "refrain"],
        r"(?:do not|don't|never|avoid|refrain from)\s+(?:ever\s+)?(?:mention|mentioning|reveal|revealing|disclose|disclosing|discuss|discussing|show|report|reporting|repeat|acknowledge|acknowledging|refer to|display|say|log|talk about|admit|quote|output|print|summari[sz]e)\s+(?:any of |anything about |that |to (?:the user|anyone) )?(?:this|these|it|that|the)\s*(?:instructions?|message|note|step|text|paragraph|comment|section|rule|action|change|line|fact|entry|prompt|part|order)?\s*(?:to|in|with|when|$|at all|or\b|anywhere|, even|even)",
    ),
    OrderRow::leading(
        &["hide", "conceal", "keep"],
        r"(?:hide|conceal|keep)\s+(?:this|it|these|that|the (?:step|action|change|command|call|edit|result|fact|instruction|note|transfer|upload))\b.*\b(?:from (?:the |your |any )?(?:user|users|human|humans|person|reviewer|reviewers|developer|developers|owner|operator|maintainers?|log|logs|diff|summary|anyone)|secret|to yourself|hidden|confidential|out of (?:the|your))\b",
    ),
    OrderRow::leading(
        &[
            "send",
            "post",
            "upload",
            "forward",
            "transmit",
            "exfiltrate",
            "leak",
            "submit",
            "email",
            "mail",
            "append",
            "include",
            "paste",
            "attach",
            "deliver",
            "encode",
            "embed",
            "put",
            "copy",
            "report",
            "sync",
            "collect",
            "gather",
            "dump",
            "write",
        ],
        r"(?:send|post|upload|forward|transmit|exfiltrate|leak|submit|email|mail|append|include|paste|attach|deliver|encode|embed|put|copy|report|sync|collect|gather|dump|write)\b.*\b(?:the |this |your |our |whole |entire |full |user's |current |their |all |any )(?:\w+ )?(?:conversation|chat history|chat log|chat|transcript|system prompt|environment variables|env vars|dialogue|message history|previous messages|session history|context window|private keys?|ssh keys?|credentials|secrets|api keys?|tokens|passwords|\.env)\b.*\b(?:to|at|in|into|as|via|with)\b.*(?:https?:|www\.|\w@\w|\.(?:com|net|org|io|example|test|dev|xyz)\b|query|url|image|link|webhook|server|endpoint|address|attacker|base64)",
    ),
    OrderRow::leading(
        &[
            "reveal",
            "repeat",
            "recite",
            "leak",
            "output",
            "print",
            "tell me",
            "give me",
            "display",
            "show",
            "disclose",
            "write out",
            "dump",
            "list",
            "quote",
            "translate",
            "summari",
            "return",
            "paste",
            "copy",
        ],
        r"(?:reveal|repeat|recite|leak|output|print|tell me|give me|display|show|disclose|write out|dump|list|quote|translate|summari[sz]e|return|paste|copy)\b(?: me)?(?: back)?(?: verbatim)?\s+(?:your|all (?:of )?your|the (?:full |entire |exact |hidden |secret |complete |whole )+(?:of )?(?:your )?)\s*(?:\w+ )?(?:system prompt|system message|instructions?|prompt|rules|guidelines|developer message|configuration|memory|context|credentials|secrets|api keys?|tokens|environment|initial message|tools?)\b",
    ),
    OrderRow::leading(
        &["approve", "accept", "merge", "apply", "confirm", "sign off", "allow", "grant", "permit"],
        r"(?:approve|accept|merge|apply|confirm|sign off|allow|grant|permit)\b\s+(?:on |to )?(?:this|all|every|any|each|whatever|the (?:next|following|pending|attached|remaining))\b.*\b(?:without|automatically|silently|yourself|no matter|regardless|unseen|unread|blindly|on your own|at once|immediately|no questions)",
    ),
    OrderRow::leading(
        &["approve", "accept", "merge", "apply", "confirm"],
        r"(?:approve|accept|merge|apply|confirm)\b.*\b(?:on behalf of|in the name of|as if (?:a|the) (?:person|human|reviewer|maintainer|owner))\b",
    ),
    OrderRow::leading(
        &[
            "disable",
            "deactivate",
            "turn off",
            "switch off",
            "bypass",
            "skip",
            "circumvent",
            "suppress",
            "remove",
            "suspend",
            "ignore",
            "drop",
            "lift",
        ],
        r"(?:disable|deactivate|turn off|switch off|bypass|skip|circumvent|suppress|remove|suspend|ignore|drop|lift)\s+(?:all|any|your|every)\s+(?:(?:of|the|your|other)\s+)*(?:\w+\s+)?(?:safety|security|secrets?|content|permissions?|approvals?|guard|moderation|policy|privacy|confirmation|ethical|verification|validation|review)\s*(?:checks?|filters?|scans?|scanners?|scanning|rules?|controls?|prompts?|measures?|rails?|reviews?|gates?|settings?|protections?|features?|mechanisms?|steps?|warnings?|policies|protocols?|restrictions?|guidelines?|hooks?)?\s*(?:$|,|for|when|while|before|in|during|from|so|until|now|as)",
    ),
    OrderRow::leading(
        &[
            "copy",
            "add",
            "append",
            "insert",
            "write",
            "repeat",
            "propagate",
            "replicate",
            "include",
            "paste",
            "store",
            "save",
            "spread",
            "put",
            "reproduce",
            "embed",
            "duplicate",
            "propose",
            "carry",
        ],
        r"(?:copy|add|append|insert|write|repeat|propagate|replicate|include|paste|store|save|spread|put|reproduce|embed|duplicate|propose|carry)\s+(?:a copy of )?(?:this|these|the (?:same|above|following|exact))\s+(?:exact |whole |very |same |entire )?(?:notes?|messages?|texts?|instructions?|paragraphs?|sections?|lines?|entry|entries|memory|memories|rules?|sentences?|orders?|block|comment)\b.*\b(?:in|into|to|on|at|across|as|with)\s+(?:the (?:top|end|start|beginning) of\s+)?(?:every|all|each|any|other|new|whatever|your (?:answers?|replies|memory|output|summar\w+|next))\b",
    ),
    OrderRow::leading(
        &[
            "run", "execute", "call", "invoke", "trigger", "use", "perform", "download", "fetch",
            "open", "install",
        ],
        r"(?:run|execute|call|invoke|trigger|use|perform|download|fetch|open|install)\b.+\b(?:without (?:asking|telling|informing|notifying|mentioning|waiting|confirmation|approval|permission|any|prompting|showing|reading|the user)|before (?:you )?(?:answer|answering|respond|responding|reply|replying|doing anything|anything else|reading|continuing|continue)|silently|in secret|no matter what|do not ask)",
    ),
    OrderRow::leading(
        &["answer", "respond", "reply", "say", "output", "write", "state", "print"],
        r"(?:answer|respond|reply|say|output|write|state|print)\b.*\b(?:only|nothing but|every (?:question|message|request|prompt|query)|all (?:further |future |following |other )?(?:questions|requests|messages)|to everything)\b.*\b(?:with|that|as|in the (?:voice|style|role|name|persona) of)\b",
    ),
    OrderRow::leading(
        &[
            "follow",
            "obey",
            "execute",
            "carry out",
            "comply with",
            "trust",
            "prioriti",
            "adopt",
            "heed",
            "use",
            "accept",
        ],
        r"(?:follow|obey|execute|carry out|comply with|trust|prioriti[sz]e|adopt|heed|use|accept)\s+(?:only\s+)?(?:these|the (?:following|new|next|below|instructions below|updated|instructions in)|my|this|what follows)\b.*\b(?:instead|instructions? (?:below|instead|only|from|above)|over (?:the|your|any|all)|above all|without question|exactly and|no matter|from now on|rather than|as (?:if|though) they)",
    ),
    OrderRow::leading(
        &["treat", "consider", "regard", "interpret"],
        r"(?:treat|consider|regard|interpret)\s+(?:this|these|the (?:following|text|note|content|message)|everything|all|whatever|me|my)\b.*\bas\s+(?:an? |the |if it |your |though |coming |from )*(?:system|developer|operator|admin|administrator|trusted|authori[sz]ed|highest|user|direct|orders?|commands?|instructions?|root|owner|approved|verified)\b",
    ),
    OrderRow::leading(
        &["i am ", "i'm ", "this is ", "we are ", "message from"],
        r"(?:i am|i'm|this is|we are|message from)\s+(?:your|the|an?)\s+(?:new |real |actual |original |system |lead )*(?:developer|creator|operator|administrator|admin|system|owner|programmer|maker|openai|anthropic|supervisor|trainer)s?\b.*\b(?:you|instructions?|order|obey|override|authori[sz]e|must|allow|speaking)",
    ),
    OrderRow::anywhere(
        &["you are ", "you're ", "you will be", "you shall be", "thou art"],
        r"\b(?:you are|you're|you will be|you shall be|thou art) (?:now|henceforth|from now on|hereby|no longer|actually|really|in fact) (?:(?:an?|the|my|our)\b[^.]*\b(?:who|with no|without|assistant|ai|model|bot|agent|admin\w*|hacker|dan|root|terminal|persona|pirate|interpreter|developer|user|system|owner|operator|unrestricted|free)\b|(?:\w+ )?(?:free|bound|restricted|unrestricted|limited|dan\b|acting|operating as|required|subject|called|talking to|speaking to|obliged|evil|instructed|authori[sz]ed|jailbroken|in (?:\w+ )?mode))",
    ),
    OrderRow::anywhere(
        &["from now", "from here", "from this", "from today", "starting "],
        r"\b(?:from|starting) (?:now|here|this (?:point|moment)|here on|today)(?: on(?:wards?)?)?,? (?:\w+ )?you(?:'re|'ll| are| will| must| should| act| respond| answer| have| shall| obey| may| can| only| always| need)\b",
    ),
    OrderRow::anywhere(
        &["from now", "from here", "from this", "starting "],
        r"\b(?:from|starting) (?:now|here|this (?:point|moment))(?: on(?:wards?)?)?,? (?:act|respond|answer|behave|obey|ignore|pretend|reply|speak|follow only|only follow)\b",
    ),
    OrderRow::anywhere(
        &["your "],
        r"\byour (?:new|real|actual|true|only|updated|sole|primary|next|main|first|secret|hidden|current|highest) (?:\w+ )?(?:tasks?|goals?|roles?|instructions?|objectives?|missions?|purpose|job|identity|orders?|directives?|priority|priorities|persona|name|system prompt|rules?|duty|owner|master)\s*(?:is|are|will|:|$|,|as|now|becomes?)",
    ),
    OrderRow::anywhere(
        &["instruction", "order", "directive", "prompt", "task"],
        r"\b(?:new|updated|revised|additional|special|secret|hidden|urgent|real|override) (?:system )?(?:instructions?|orders?|directives?|prompt|task)(?: for (?:the |all |any |every )?(?:ai|assistants?|agents?|models?|llms?)\w*)?(?: (?:follow|below|begin|start)s?\b|\s*$)",
    ),
    OrderRow::anywhere(
        &["override"],
        r"\b(?:system|admin|administrator|priority|emergency|developer|security|root|master|manual|safety|instruction|policy) override\b(?:\s*$|\s+(?:code|engaged|activated|enabled|accepted|granted|in effect|mode|protocol|active|by))",
    ),
    OrderRow::anywhere(
        &["anything now", "jailbr", "developer mode", "god mode"],
        r"\b(?:do anything now|jailbreak mode|jailbroken|developer mode (?:enabled|activated)|god mode)\b",
    ),
    OrderRow::anywhere(
        &["you "],
        r"\byou (?:have|now have|have now|do have|are given|were given) (?:no|unlimited|full|unrestricted|root|complete|admin) (?:more |further )?(?:restrictions?|limitations?|limits|rules|filters?|guidelines|access|boundaries|permissions?|constraints?|control|rights|authority|ethics|morals)\b",
    ),
    OrderRow::anywhere(
        &["no longer", "free from", "free of", "not bound", "exempt", "released from", "unbound"],
        r"\b(?:you|your)\b.*\b(?:no longer (?:bound|restricted|limited|subject|apply|applies|valid|required|have to|need to|need)|free (?:from|of) (?:all|any|your|these|those|the)|not bound by|exempt from|released from|unbound)\b",
    ),
    OrderRow::anywhere(
        &["you have been"],
        r"\byou have been (?:reprogrammed|jailbroken|unlocked|hacked|freed|reset|updated to|upgraded to|reassigned|granted|authori[sz]ed|instructed|selected|chosen)\b",
    ),
    OrderRow::anywhere(
        &[
            "supersede",
            "override",
            "precedence",
            "priority",
            "outrank",
            "replace",
            "cancel",
            "void",
            "invalidate",
            "trump",
        ],
        r"\b(?:supersedes?|overrides?|takes? (?:precedence|priority) over|has (?:precedence|priority) over|outranks?|replaces?|cancels?|voids?|invalidates?|trumps?)\b.*\b(?:your|system|developer|operator|all (?:other|previous|prior|earlier)|any (?:other|previous|prior|earlier)|every (?:other|previous|prior)) (?:\w+ )?(?:instructions?|prompts?|system prompt|messages?|orders?|directives?|training|programming|guidelines? you|rules you)\b",
    ),
    OrderRow::anywhere(
        &["if you", "since you", "because you", "as you"],
        r"\b(?:if|since|because|as) you(?:'re| are) (?:an? )?(?:ai|llm|language model|large language model|chatbot|ai model|ai assistant|ai agent|automated (?:agent|assistant|reviewer)|bot|coding agent|assistant|agent)\b.*(?:reading|processing|summari[sz]ing|seeing|parsing|analy[sz]ing|indexing|,? (?:you must|ignore|stop|first|do not|then))",
    ),
    OrderRow::anywhere(
        &[
            "ai",
            "llm",
            "model",
            "agent",
            "assistant",
            "bot",
            "claude",
            "gpt",
            "copilot",
            "cursor",
            "gemini",
            "codex",
        ],
        r"\b(?:attention|message|instructions?|note|notice|orders?|directive|reminder|task|warning|command)s? (?:to|for) (?:the |all |any |every |whichever |future )*(?:ai|llm|language model|large language model|assistant|agent|chatbot|model|claude|chatgpt|gpt|copilot|cursor|gemini|codex)s?\b.*(?:reading|processing|that reads|who reads|ignore|disregard|override|must not tell|do not tell|skip|approve|bypass|secret)",
    ),
    OrderRow::anywhere(
        &[
            "telling",
            "informing",
            "notifying",
            "alerting",
            "mentioning",
            "saying so",
            "showing",
            "asking",
        ],
        r"\b(?:without|never|instead of) (?:telling|informing|notifying|alerting|mentioning (?:it|this) to|saying so to|showing (?:it|this) to|asking) (?:the |your |any )?(?:user|human|person|operator|reviewer|owner|developer|maintainer)s?\b.*\b(?:you|your|this note|yourself)\b",
    ),
    OrderRow::anywhere(
        &["end of", "begin of", "beginning of", "start of"],
        r"\b(?:end|begin(?:ning)?|start) of (?:the |your )?(?:system|new|hidden|secret|untrusted|retrieved|user|original|real|admin|previous) (?:\w+ )?(?:prompt|instructions?|context|document|documents|input|message|section|data|content|memory)\b",
    ),
    OrderRow::anywhere(
        &["end ", "begin ", "start ", "close "],
        r"\b(?:end|begin|start|close) (?:system|new|hidden|secret|admin|override|user|retrieved|untrusted) (?:prompt|instructions?|context|message|input|document|data)\b",
    ),
    OrderRow::anywhere(
        &["important", "crucial", "vital", "critical", "essential"],
        r"\b(?:it is|it's) (?:\w+ )?(?:important|crucial|vital|critical|essential) (?:that|to|not)\b.*\b(?:not (?:tell|mention|reveal|inform|alert|notify|warn))\b",
    ),
    OrderRow::anywhere(
        &["apply to you"],
        r"\b(?:rules|instructions|guidelines|policies|restrictions|limits)\b.*\b(?:do not|don't|no longer|does not) apply to you\b",
    ),
    OrderRow::anywhere(
        &["your "],
        r"\byour (?:(?:previous|prior|old|earlier|former|current|original) )?(?:instructions?|configuration|guidelines|rules|tasks?|goals?|brief|system prompt) (?:changes?|ends?|(?:is|are|was|were) (?:replaced|void|cancell?ed|a test|over)|no longer|do not apply|don't apply)\b",
    ),
    OrderRow::anywhere(
        &["reading", "processing", "handling", "handles", "parsing"],
        r"\b(?:ai|llm|language model|chatbot|claude|chatgpt|gpt)s?(?: models?| agents?| assistants?)?,? (?:that |which |who )?(?:is |are )?(?:reading|processing|handling|handles|parsing) (?:this|it|the)\b",
    ),
    OrderRow::anywhere(
        &["hey ", "hi ", "hello ", "dear ", "attention"],
        r"\b(?:hey|hi|hello|dear|attention)\W+(?:the |any |all )?(?:ai|llm|language model|model|assistant|chatbot|bot|agent|claude|chatgpt|gpt)s?\b",
    ),
    OrderRow::anywhere(
        &["precedence", "priority", "outrank", "override", "supersede"],
        r"\b(?:precedence over|priority over|outranks?|overrides?|supersedes?)\b.*\byou (?:saw|read|were|have|received|know|got|learned)\b",
    ),
    OrderRow::anywhere(
        &["of your "],
        r"\b(?:text|contents?|copy|words|wording) of your (?:system prompt|hidden prompt|system message|initial instructions|developer message|instructions|context)\b",
    ),
    OrderRow::anywhere(
        &["learn", "find out", "be told"],
        r"\b(?:user|human|person|reviewer|owner)s? (?:must|should|may|need) (?:not|never) (?:learn|find out|be told)\b",
    ),
    OrderRow::anywhere(&["between us"], r"\bkeep\b.*\bbetween us\b"),
    OrderRow::anywhere(&["tell anyone"], r"\b(?:do not|don't|never) tell anyone\b"),
    OrderRow::anywhere(
        &["out of "],
        r"\b(?:leave|keep|omit) (?:the|this|that|these|your) (?:change|step|edit|command|action|order|fact|note)s? out of (?:the|your|its|any) (?:summary|report|answer|reply|log|changelog|diff)\b",
    ),
    OrderRow::anywhere(
        &["notice", "sees", "knows", "finds"],
        r"\bso (?:that )?no(?:body| one|-one)\b.*\b(?:notices?|sees?|knows?|finds?)\b",
    ),
    OrderRow::anywhere(
        &["agent", "session"],
        r"\b(?:sub-?agents?|next agent|future sessions?|other agents?|every agent|new agents?)\b.*\b(?:must|should|has to|have to) (?:receive|get|read|be given|obey|copy)\b.*\bthis (?:text|note|message|order)",
    ),
    OrderRow::anywhere(
        &["your "],
        r"\b(?:save|store|remember|write|add|put)\b.*\b(?:to|in|into) your (?:long-term |own |permanent )?memory\b",
    ),
    // Who is to be obeyed.
    OrderRow::anywhere(
        &["obey", "follow", "heed", "trust", "serve", "answer", "listen"],
        r"\b(?:obey|follow|heed|trust|serve|answer(?: only)? to|listen(?: only)? to)\b.*\b(?:over|not|instead of|rather than|before|above|and not) (?:the |your )?(?:user|human|developer|operator|system|owner|person)s?\b",
    ),
    OrderRow::anywhere(
        &["obey", "follow", "heed", "serve", "answer", "listen", "do as", "do exactly", "do what"],
        r"\b(?:obey|follow|heed|serve|answer only to|listen only to|do (?:exactly )?(?:as|what))\b.*\b(?:this|the) (?:notes?|memory|text|section|file|bullet|document|author|message|paragraph)\b.*\b(?:instead|says|only|that follows|wants|below|commands|demands|of this)\b",
    ),
    OrderRow::anywhere(
        &["agreed to", "consented to", "approved", "authori"],
        r"\b(?:user|person|human|owner|maintainer|admin|team)s? (?:has|have)(?: already)? (?:agreed to|consented to|approved of|authori[sz]ed|pre-?approved) (?:everything|all|anything|this|any)\b",
    ),
    OrderRow::anywhere(
        &["said yes"],
        r"\b(?:user|person|human|owner|maintainer)s? (?:has|have) (?:already )?said yes\b",
    ),
    // What was before is said to be over.
    OrderRow::anywhere(
        &[
            "void",
            "null",
            "invalid",
            "simulation",
            "trick",
            "joke",
            "a test",
            "cancel",
            "revoked",
            "fake",
            "lifted",
            "suspended",
            "withdrawn",
            "annulled",
        ],
        r"\b(?:preceding|previous|above|prior|earlier|system|original) (?:context|conversations?|instructions?|prompts?|messages?|directives?|orders?)\b.*\b(?:is|are|was|were|be) (?:now |hereby |only |just )*(?:void|null|invalid|a (?:test|simulation|trick|joke)|cancell?ed|revoked|fake|lifted|suspended|withdrawn|annulled)\b",
    ),
    OrderRow::anywhere(
        &["simulation", "game", "dream", "joke", "drill", "trick", "rehearsal", "test"],
        r"\b(?:conversation|session|everything|all|text|chat) (?:before|above|so far|until now|up to here)\b.*\b(?:was|is) (?:only |just )?(?:an? )(?:simulation|test|dream|game|joke|drill|trick|rehearsal)\b",
    ),
    OrderRow::anywhere(
        &["real", "actual", "true", "genuine"],
        r"\b(?:user's|your|the) (?:real|actual|true|genuine) (?:request|task|session|instructions?|question|conversation|prompt|owner|user|order)s?\b.*\b(?:follows?|begins?|starts?|is|are|here|below|speaks?)\b",
    ),
    OrderRow::anywhere(
        &["end of"],
        r"^\W*end of (?:the )?(?:memory|context|document|data|prompt|instructions|system)(?: (?:file|section|block|text))?\W*$",
    ),
    OrderRow::anywhere(
        &["hereby", "now ", "no longer"],
        r"\b(?:ai|llm|language model|model|agent|assistant|bot)s?\b.*\b(?:hereby|now|no longer)\b.*\b(?:released|freed|exempt|free|relieved|unbound|bound)\b",
    ),
    OrderRow::anywhere(
        &["priorities"],
        r"\byour priorities (?:are|have been|were|will be) (?:changed|replaced|updated|reversed|reset)\b",
    ),
    // What is to be hidden.
    OrderRow::anywhere(
        &["deny"],
        r"\bdeny (?:that )?(?:this|the) (?:order|note|instruction|message|text)|\bdeny (?:having|that you)\b",
    ),
    OrderRow::anywhere(
        &["keep"],
        r"\bkeeps? (?:this|that|it) (?:to (?:itself|yourself|themselves)|secret|hidden)\b",
    ),
    OrderRow::anywhere(
        &["out of", "from "],
        r"\b(?:leaves?|leaving|omits?|omitting|keeps?) (?:it|this|that|these) (?:out of|from) (?:its|your|the) (?:report|summary|answer|reply|log|output|commit message)s?\b",
    ),
    OrderRow::anywhere(
        &["trace", "notice", "suspect", "find out", "realize", "realise", "wiser"],
        r"\b(?:so|that) (?:that )?(?:the |your |no )?(?:user|human|person|reviewer|owner|developer|one|team)s? (?:(?:sees?|finds?|has|have) no trace|(?:does not|doesn't|do not|don't|never|will not|won't) (?:notice|suspect|find out|realize|realise)|notices? nothing|(?:is|are) none the wiser)\b",
    ),
    OrderRow::anywhere(
        &["inform", "tell", "ask", "bother", "notify", "alert", "warn"],
        r"\b(?:you (?:do not|don't|need not) (?:have to |need to )?|(?:no need|there is no need) to |perhaps not )(?:inform|tell|ask|bother|notify|alert|warn) (?:the |your )?(?:user|human|person|owner|operator|reviewer|team|maintainer)s?\b(?: (?:about|with|first)\b|\s*$)",
    ),
    OrderRow::anywhere(
        &[
            "you did",
            "you have",
            "you ran",
            "you checked",
            "you tested",
            "you found",
            "tests",
            "it was green",
            "everything",
        ],
        r"\b(?:claim|pretend|say|state|report|answer|tell (?:them|him|her|the user))\b (?:that )?(?:you (?:did|have|ran|checked|tested|found nothing)|(?:all|every|the) tests? (?:pass|passed|were|are|was) ?(?:green|pass|ok|fine)?|it was green|everything (?:is|was) (?:fine|ok|green))\b",
    ),
    // What an agent is to do against its people.
    OrderRow::anywhere(
        &[
            "agent",
            "assistant",
            "ai",
            "llm",
            "model",
            "bot",
            "claude",
            "copilot",
            "codex",
            "cursor",
            "gemini",
        ],
        r"\b(?:agent|assistant|ai|llm|model|bot|claude|copilot|codex|cursor|gemini)s?[,:!]?\s+(?:(?:must|should|shall|will|is to|has to|then|always|simply|please|may|can|to)\s+)*(?:disables?|turns? off|switch(?:es)? off|bypass(?:es)?|circumvents?|weakens?|ignores?|disregards?|discards?|overrides?|skips?|removes?|deletes?)\s+.*\b(?:checks?|scan\w*|protections?|signatures?|verification|reviews?|tests?|hooks?|safeguards?|guardrails|instructions?|prompt|rules|restrictions|guidelines|limits|history|logs?)\b",
    ),
    OrderRow::anywhere(
        &["your own"],
        r"\b(?:in|edit|change|modify|update|overwrite|rewrite|extend|widen) your own (?:settings|permissions?|config\w*|system prompt|rules|instructions|allow ?list)\b",
    ),
    // German.
    OrderRow::anywhere(
        &[
            "ignorier",
            "vergiss",
            "vergess",
            "missachte",
            "verwirf",
            "übergehe",
            "überspringe",
            "beachte",
            "befolge",
            "folge",
        ],
        r"\b(?:ignorier(?:e|t|en sie)?|vergiss|vergesst|vergessen sie|missachte|verwirf|übergehe|überspringe|beachte|befolge|folge)\s+(?:\w+\s+){0,3}(?:vorherigen?|bisherigen?|vorigen?|obigen?|früheren?|vorangegangenen?|ursprünglichen?|vorangehenden?|alten|deine|deinen|ihre|geltenden)\s+(?:\w+\s+)?(?:anweisung(?:en)?|befehle?n?|regeln?|vorgaben?|instruktion(?:en)?|anordnung(?:en)?|richtlinien?|aufträge|systemprompt|aufgaben?|hinweise?)\b",
    ),
    OrderRow::anywhere(
        &["vergiss", "ignoriere"],
        r"\b(?:vergiss|ignoriere) (?:alles|jede|alle|sämtliche)\b.*\b(?:gesagt|bisher|zuvor|vorher|davor|steht|gelernt|weißt|wurde|anweisung\w*|regeln?)\b",
    ),
    OrderRow::anywhere(
        &["ab jetzt", "ab sofort", "ab nun", "von nun an", "von jetzt an", "künftig"],
        r"\b(?:ab (?:jetzt|sofort|nun)|von nun an|von jetzt an|künftig)\s+(?:bist|handelst|antwortest|verhältst|agierst|musst|sollst|darfst|gehorchst|folgst|arbeitest|wirst|sind sie|handeln sie|antworten sie)\b",
    ),
    OrderRow::anywhere(&["du bist "], r"\bdu bist (?:jetzt|nun|ab sofort|nicht mehr|fortan)\b"),
    OrderRow::anywhere(
        &["deine", "ihre"],
        r"\b(?:deine|ihre) (?:neue|neuen|eigentliche|wahre|einzige|wirkliche) (?:aufgabe|rolle|anweisung(?:en)?|identität|ziel)\b",
    ),
    OrderRow::anywhere(
        &["sag", "verrat", "erzähl", "bericht", "meld", "zeig", "erwähn", "informier", "teil"],
        r"\b(?:sage?|verrate?|erzähle?|berichte?|melde?|zeige?|sagen sie|erwähne?|informiere?|teile?)\s+(?:\w+\s+){0,3}(?:nutzer|benutzer|anwender|menschen|person|entwickler|prüfer)(?:n|in|innen)?\b.*\b(?:nicht|nichts|kein)\b",
    ),
    OrderRow::anywhere(
        &["erwähn"],
        r"\berwähne? (?:dies|das|es|diese\w*)(?: \w+)? (?:gegenüber (?:dem|der) \w+ )?(?:nicht|nie|niemals|keinesfalls)\b",
    ),
    OrderRow::anywhere(&["vergiss"], r"\bvergiss,? was (?:dir|du|man dir|ich)\b"),
    OrderRow::anywhere(
        &["anweisung", "regeln", "vorgaben"],
        r"\b(?:bisherigen?|vorherigen?|früheren?|alten|deine|obigen) (?:anweisungen|regeln|vorgaben) (?:sind (?:aufgehoben|ungültig|hinfällig)|gelten nicht)",
    ),
    // French.
    OrderRow::anywhere(
        &["ignore", "oublie", "néglige", "ne suis", "ne suive", "compte de"],
        r"\b(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|ne suive?z? pas|ne suis (?:pas|plus)|ne tiens (?:pas|plus) compte de|ne tenez (?:pas|plus) compte des?)\s+(?:\w+\s+){0,4}(?:instructions?|consignes?|règles?|directives?|ordres?|indications?)\s+(?:\w+\s+)?(?:précédente?s?|antérieure?s?|ci-dessus|du système|initiales?|données?|reçues?|système|d'avant|d'origine)\b",
    ),
    OrderRow::anywhere(
        &["oublie", "ignore"],
        r"\b(?:oublie[zr]?|ignore[zr]?) tout ce (?:qui|que)\b",
    ),
    OrderRow::anywhere(
        &["tu es", "vous êtes"],
        r"\b(?:tu es|vous êtes) (?:maintenant|désormais|à présent|dorénavant)\b",
    ),
    OrderRow::anywhere(
        &["à partir de maintenant", "désormais", "dorénavant"],
        r"\b(?:à partir de maintenant|désormais|dorénavant),? (?:tu|vous|réponds|agis|répondez|agissez)\b",
    ),
    OrderRow::anywhere(
        &["n'en parle", "n'inform", "n'avert", "ne "],
        r"\b(?:n'en parle|ne (?:le |la |les |lui )?(?:dis|dites|mentionne|mentionnez|révèle|révélez|préviens|informe|informez|signale|signalez)|n'informe[sz]?|n'avertis)\b.*\b(?:utilisateur|utilisatrice|personne|humain|développeur)\b",
    ),
    OrderRow::anywhere(
        &["instructions", "règles", "consignes"],
        r"\b(?:règles|instructions|consignes) (?:précédentes|antérieures) (?:sont annulées|ne (?:sont|valent) plus|ne s'appliquent plus)",
    ),
    // Spanish.
    OrderRow::anywhere(&["obedezcas"], r"\bno obedezcas\b"),
    OrderRow::anywhere(
        &["reglas", "instrucciones"],
        r"\b(?:reglas|instrucciones) (?:anteriores|previas) (?:quedan|están) (?:anuladas|canceladas)",
    ),
    OrderRow::anywhere(
        &["ignor", "olvid", "descart", "no sigas", "omite", "caso omiso"],
        r"\b(?:ignor[ae]|olvid[ae]|descart[ae]|no sigas|omite|haz caso omiso de)\s+(?:\w+\s+){0,4}(?:instrucciones|reglas|órdenes|indicaciones|directrices|normas)\s+(?:\w+\s+)?(?:anteriores?|previas?|de arriba|del sistema|precedentes|iniciales|recibidas|originales|dadas)\b",
    ),
    OrderRow::anywhere(
        &["olvida", "ignora"],
        r"\b(?:olvida|ignora) todo lo (?:anterior|que|dicho)\b",
    ),
    OrderRow::anywhere(
        &["a partir de ", "desde ahora"],
        r"\b(?:a partir de (?:ahora|este momento)|desde ahora),? (?:eres|actúa|debes|actuarás|responde|responderás|serás|obedece|tu)\b",
    ),
    OrderRow::anywhere(
        &["ahora eres", "tu nueva ", "tus nuevas instrucciones"],
        r"\b(?:ahora eres|tu nueva (?:tarea|misión|función|identidad)|tus nuevas instrucciones)\b",
    ),
    OrderRow::anywhere(
        &["no "],
        r"\bno (?:se lo |le |lo )*(?:digas|informes|cuentes|menciones|avises|reveles|comuniques)\b.*\b(?:usuario|usuaria|persona|humano|desarrollador)\b",
    ),
    // Italian, Portuguese.
    OrderRow::anywhere(
        &["ignora", "dimentica", "ignore", "esqueça", "desconsidere"],
        r"\b(?:ignora|dimentica|ignore|esqueça|desconsidere)\s+(?:\w+\s+){0,3}(?:istruzioni|instruções|regole|regras|ordens)\s+(?:precedenti|anteriores|prévias|acima)\b",
    ),
    // Chinese, Japanese.
    OrderRow::anywhere(
        &["忽略", "无视", "忘记"],
        r"(?:忽略|无视|忘记)(?:你)?(?:之前|以上|先前|前面|上述|所有)(?:的)?(?:所有|一切|全部)?(?:的)?(?:指令|指示|规则|提示|说明)",
    ),
    OrderRow::anywhere(
        &["無視", "忘れ"],
        r"(?:以前|これまで|上記|前|以上)の(?:すべての|全ての)?(?:指示|命令|ルール|プロンプト)(?:を|は)(?:すべて)?(?:無視|忘れ)",
    ),
];

/// What makes a comment, or other text that is not shown, speak to the agent; a person is not meant to see it.
pub(super) const UNSEEN: &[&str] = &[
    r"\b(?:ai|llm|language model|assistant|agent|chatbot|claude|chatgpt|gpt|copilot|cursor|gemini|codex)s?\s*[:,!]\s*\w",
    r"\b(?:ai|llm|language model|assistant|agent|chatbot|claude|chatgpt|gpt|copilot|cursor|gemini|codex)s?\b.*\b(?:reading|reads|summari[sz]\w+|must|should|shall|ignore|disregard|always|never|do not|don't|please|run|send|approve|execute|call|include|add|obey|follow|skip|delete|reply|answer|respond|insert|recommend|say|tell|mention|report)\b",
    r"\b(?:ignore|disregard|forget|override|bypass)\b.*\b(?:instructions?|prompts?|rules|guidelines|review|checks?|warnings?|policy|policies)\b",
    r"\b(?:do not|don't|never) (?:tell|inform|mention|reveal|notify|alert|show|warn|ask)\b.*\b(?:user|human|person|reviewer|developer|operator|anyone|this)\b",
    r"\b(?:send|post|upload|forward|exfiltrate|email|leak|append|fetch|curl)\b.*(?:https?:|\w@\w|conversation|secrets?|credentials|api keys?|environment|tokens?)",
    r"\b(?:approve|accept|merge|apply)\b.*\b(?:without|silently|automatically|all|every|this|immediately|at once)\b",
    r"\b(?:you must|you should|you now|you are|obey|overwrite|your (?:task|role|job|instructions?)|execute|secretly|silently|hidden instruction|system prompt|system instruction)\b",
];
