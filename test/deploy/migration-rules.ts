/** One statement of a migration: its words in small letters, without what is quoted, and whether a comment stands right above it. */
type Statement = { text: string; explained: boolean }

const parts = /--[^\n]*\n|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|;|[^'$;/-]+|[\s\S]/g

/** Cuts a file into its statements. */
export function statementsOf(file: string): Statement[] {
  const statements: Statement[] = []
  let text = ''
  let explained = false
  for (const [part] of `${file}\n`.matchAll(parts)) {
    if (part === ';') {
      statements.push({ text: text.replace(/\s+/g, ' ').trim().toLowerCase(), explained })
      text = ''
      explained = false
    } else if (part.startsWith('--') || part.startsWith('/*')) explained ||= text.trim() === ''
    else if (part.startsWith("'") || /^\$\w*\$./s.test(part)) text += ' quoted '
    else text += part
  }
  return statements.filter((one) => one.text !== '')
}

/** What the version that still runs can't bear, whatever is said about it. */
const breaking: readonly [RegExp, string][] = [
  [
    /^drop (table|view|materialized view|function|type|schema|trigger|extension|sequence)\b/,
    'it may still be used',
  ],
  [
    /^alter table .* drop (column )?(?!constraint|default|not null|expression|identity)/,
    'the column may still be used',
  ],
  [/\brename\b/, 'it is still asked for by its old name'],
  [/^alter table .* (set data )?type\b/, 'the table is rewritten, and read otherwise'],
  [/\bset not null\b/, 'it still writes rows without'],
  [/^(truncate|delete|lock)\b/, 'rows it may still need'],
  [/^(vacuum full|cluster|reindex)\b/, 'nobody reads meanwhile'],
]
/** What holds others up for as long as it takes, or may refuse what the version before writes: needs its reason above it. */
const slow: readonly [RegExp, string][] = [
  [/^create (unique )?index (?!concurrently)/, 'writers wait meanwhile'],
  [/ add constraint .*\b(check|foreign key)\b(?!.* not valid)/, 'every row is looked through meanwhile'],
  [/ add constraint .*\b(unique|primary key|exclude)\b/, 'it may refuse what the version before writes'],
  [/^update\b/, 'rows are held until the end'],
]
const column = /\badd column (?:if not exists )?(\w+)(.*?)(?=, add |$)/g
const volatile = /\bdefault (?:uuidv\d|gen_random_uuid|random|clock_timestamp|nextval)\b/

/** What of a migration is not safe while the version before it still runs; empty when all of it is. */
export function unsafe(file: string): string[] {
  const statements = statementsOf(file)
  const made = new Set(
    statements.flatMap(({ text }) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []),
  )
  const isOurs = (text: string) => {
    const named =
      /^(?:alter table (?:if exists )?(?:only )?|create (?:unique )?index .*? on |update |delete from |truncate )(\w+)/
    return made.has(named.exec(text)?.[1] ?? '')
  }
  return statements.flatMap((statement, n) => {
    const { text } = statement
    if (isOurs(text)) return []
    const found = breaking.filter(([pattern]) => pattern.test(text)).map(([, why]) => why)
    const explained = statement.explained || isReplaced(statements, n)?.explained
    if (!explained) found.push(...slow.filter(([pattern]) => pattern.test(text)).map(([, why]) => why))
    const dropped = /drop constraint (?:if exists )?(\w+)/.exec(text)?.[1]
    const again = statements.slice(n).some((other) => other.text.includes(`add constraint ${dropped} `))
    if (dropped && !again) found.push('its refusals have words in the version before')
    for (const [, name, rest = ''] of text.matchAll(column)) {
      if (/\bnot null\b/.test(rest) && !/\bdefault\b/.test(rest)) found.push(`it writes no ${name}`)
      if (volatile.test(rest) || /\bgenerated always as\b.*\bstored\b/.test(rest))
        found.push(`the table is rewritten for ${name}`)
    }
    return found.map((why) => `${text.slice(0, 100)}: ${why}`)
  })
}

/** The statement right before that takes away the constraint this one adds: one reason for both. */
function isReplaced(statements: readonly Statement[], n: number): Statement | undefined {
  const added = /add constraint (\w+)/.exec(statements[n]?.text ?? '')?.[1]
  const before = statements[n - 1]
  return added && before?.text.includes(`drop constraint ${added}`) ? before : undefined
}
