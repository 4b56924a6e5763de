import { parseSync, Visitor } from 'oxc-parser'
import { sourcesOf } from '../sources.ts'

// A figure and its unit stay on one line: a space that does not break stands between them, in every label and message of
// the rules.

const unit = '(?:[VAWmh%Ω]|°C|kVA|VA|kWh?|MΩ|mm²?|cm|km|m²|min|AWG|[kM]B)'
const apart = new RegExp(String.raw`(?<![\w#])(?:\d[\d.,/]*|…) ${unit}(?![\w²áéíóúñ-])`, 'u')

type Template = {
  expressions: { start: number; end: number }[]
  quasis: { value: { cooked?: string | null } }[]
}

/** The texts of a file in which a figure could be parted from its unit; a value that is put in stands as "…". */
function partedIn(file: string, text: string): string[] {
  const found: string[] = []
  const look = (words: string) => {
    if (apart.test(words)) found.push(words)
  }
  const literal = ({ value }: { value: unknown }) => {
    if (typeof value === 'string') look(value)
  }
  // A value that is itself a unit stands as one.
  const template = ({ expressions, quasis }: Template) =>
    look(
      quasis
        .map(({ value }, n) => {
          const next = expressions[n]
          const isUnit = next && /unit$/i.test(text.slice(next.start, next.end))
          return `${value.cooked ?? ''}${next ? (isUnit ? 'V' : '…') : ''}`
        })
        .join(''),
    )
  new Visitor({ Literal: literal, TemplateLiteral: template }).visit(parseSync(file, text).program)
  return found
}

/** Words that are stored, typed over and sent to others: a sign that looks like a space helps nobody there. */
const stored =
  /^(?:quotes\/rules\/proposal|reports\/rules\/proposals|settings\/rules\/settings-schema|shared\/money)\.ts$/

test('no label or message of the rules parts a figure from its unit', () => {
  const files = sourcesOf('rules').filter(({ file }) => !stored.test(file))
  expect(files.length).toBeGreaterThan(50)
  const parted = files.flatMap(({ file, text }) => partedIn(file, text).map((words) => `${file}: ${words}`))
  expect(parted).toEqual([])
})

test.each([
  ["'Monofásico 127 V'", 1],
  ["'Monofásico 127\\u00a0V'", 0],
  ['`hay $'.concat('{volts} V de neutro a tierra`'), 1],
  ['`$'.concat('{gauge}\\u00a0AWG`'), 0],
  ['`$'.concat('{value} $', '{question.unit}`'), 1],
  ["'3 hilos 120/240 V'", 1],
  ["'a las 9:30 a. m.'", 0],
  ["'min-h-11 min-w-0'", 0],
  ["'20 %'", 1],
  ["'2 visitas'", 0],
])('%s has %i', (code, count) =>
  expect(partedIn('made.ts', `export const one = ${code}`)).toHaveLength(count),
)
