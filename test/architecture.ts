import path from 'node:path'
import { type Layer, layerOf } from '../layers.ts'

/** A file under src, by its path from there. */
export type Source = { file: string; text: string }
/** Says what breaks it, file by file. */
type Rule = (sources: readonly Source[]) => string[]

export const specifiers = ({ text }: Source) =>
  [
    ...text.matchAll(
      /^(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gm,
    ),
  ].map(([, from, bare, dynamic]) => (from ?? bare ?? dynamic)!)
export const isOurs = (specifier: string) => specifier.startsWith('.')
export const target = ({ file }: Source, specifier: string) => path.join(path.dirname(file), specifier)
/** The one place from which src loads what stands outside it: the demo fixture. */
export const leadsToSeeds = (source: Source, specifier: string) =>
  source.file === 'app/start.ts' && target(source, specifier) === '../seeds/world.ts'

/** One violation for each import of each file that `breaks` names. */
const ofImports =
  (breaks: (source: Source, specifier: string) => boolean): Rule =>
  (sources) =>
    sources.flatMap((source) =>
      specifiers(source)
        .filter((specifier) => breaks(source, specifier))
        .map((specifier) => `${source.file} imports ${specifier}`),
    )
const ofFiles =
  (breaks: (source: Source) => boolean): Rule =>
  (sources) =>
    sources.filter(breaks).map(({ file }) => file)

const arrows: Record<Layer, readonly Layer[]> = {
  screens: ['screens', 'server', 'rules'],
  server: ['server', 'rules'],
  rules: ['rules'],
}

/** The folders of src, each above those that its server part may import. What a lower one needs of it follows a change. */
export const order =
  'platform accounts projects documents scheduling settings payments appointments users calls reports quotes invoices cfe agencies dispatch customers integrations notifications privacy app'.split(
    ' ',
  )
const placeOf = (file: string) => order.indexOf(file.split('/')[0]!)

/** A type leaves nothing behind at run time, so that it closes no circle. */
const withoutTypes = ({ file, text }: Source): Source => ({
  file,
  text: text.replace(/^(import|export) type\b[^'";]*?\bfrom\s*'[^']+'/gm, ''),
})

/** Files on a way that leads back to itself. */
export const circles: Rule = (sources) => {
  const next = new Map(
    sources.map(withoutTypes).map((source) => [
      source.file,
      specifiers(source)
        .filter(isOurs)
        .map((to) => target(source, to)),
    ]),
  )
  const settled = new Set<string>()
  const found: string[] = []
  const walk = (file: string, way: readonly string[]) => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (settled.has(file) || way.includes(file)) return
    for (const to of next.get(file) ?? []) walk(to, [...way, file])
    settled.add(file)
  }
  for (const { file } of sources) walk(file, [])
  return found
}

const formatting = /toLocale(?:Date|Time)?String|Intl\.(?!Collator)\w/
/** A sentence that tells a time of a 24-hour clock, or writes the day period in another way than shared/format.ts. */
const otherClock = /['"`][^'"`\n]* (?:1[3-9]|2[0-3]):[0-5]\d[^'"`\n]*['"`]|\d [ap]\.m\./
const vague = /(^|\/)(utils?|helpers?|common|misc)(\/|\.tsx?$)|.\/shared(\/|\.tsx?$)|(^|\/)services\//
const onlyPassesOn = ({ text }: Source) =>
  text
    .replace(/^export\b[^;]*?\bfrom\s*'[^']+'$/gm, '')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .trim() === ''

type Named = { rule: Rule; bad: Source; good: Source }
/** Each rule with a file that breaks it and one like it that does not: a rule that can't fail checks nothing. */
const readers = ['kit/submit.ts', 'accounts/screens/form-answer.ts']

/** What opens a connection: fetch, a socket of Node's, or a library that makes its own. */
const opens = new RegExp(
  [
    String.raw`(?<![.\w])fetch\(|globalThis\.fetch`,
    String.raw`^import (?!type )(?:\w+ from|[^']*\b(?:request|get|connect|createConnection|Socket|Agent|Resolver)\b[^']*) ?'node:(?:https?|http2|net|tls|dgram|dns[^']*)'`,
    `^import (?!type )[^']*'(?:stripe|facturapi|nodemailer|undici|@aws-sdk/[^']*|better-auth/plugins/generic-oauth|@opentelemetry/exporter-[^']*-http)'`,
    String.raw`import\('(?:stripe|flydrive/drivers/s3|@aws-sdk/[^']*)'\)`,
    String.raw`\bsendNotification\(|new WebSocket\(`,
  ].join('|'),
  'm',
)
const limits = /from '[^']*\/external\.ts'|^export const externalSystems/m

export const rules: Record<string, Named> = {
  'the server connects to nothing without the limits of platform/external.ts': {
    rule: ofFiles(({ file, text }) => layerOf(file) === 'server' && opens.test(text) && !limits.test(text)),
    bad: { file: 'mail/a.ts', text: "import type { A } from 'b'\nimport http from 'node:http'" },
    good: {
      file: 'mail/a.ts',
      text: "import { ask } from '../platform/external.ts'\nimport { Resolver } from 'node:dns/promises'\nawait app.fetch(a)",
    },
  },
  'screens import the server and rules, the server rules, rules rules only': {
    rule: ofImports(
      (source, to) =>
        isOurs(to) &&
        !leadsToSeeds(source, to) &&
        !arrows[layerOf(source.file)].includes(layerOf(target(source, to))),
    ),
    bad: { file: 'mail/a.ts', text: "import {\n  type Money,\n} from '../kit/csv.ts'" },
    good: { file: 'mail/screens/a.ts', text: "import { a } from '../a.ts'" },
  },
  'on the server a noun imports only nouns below it': {
    rule: ofImports(
      (source, to) =>
        isOurs(to) &&
        !leadsToSeeds(source, to) &&
        [source.file, target(source, to)].every((file) => layerOf(file) === 'server') &&
        placeOf(target(source, to)) > placeOf(source.file),
    ),
    bad: { file: 'payments/a.ts', text: "import type { A } from '../quotes/a.ts'" },
    good: { file: 'quotes/a.ts', text: "import { a } from '../payments/a.ts'" },
  },
  'components of ui import nothing but shared rules': {
    rule: ofImports(
      (source, to) =>
        source.file.startsWith('ui/') && isOurs(to) && !/^(ui|shared)\//.test(target(source, to)),
    ),
    bad: { file: 'ui/a.tsx', text: "import { a } from '../quotes/rules/a.ts'" },
    good: { file: 'ui/a.tsx', text: "import { a } from '../shared/a.ts'\nimport './b.css'" },
  },
  'rules import no package but zod': {
    rule: ofImports(({ file }, to) => layerOf(file) === 'rules' && !isOurs(to) && !/^zod(\/|$)/.test(to)),
    bad: { file: 'mail/rules/a.ts', text: "import type pg from 'pg'" },
    good: { file: 'mail/rules/a.ts', text: "import { z } from 'zod'" },
  },
  'rules have no clock': {
    rule: ofFiles(
      ({ file, text }) => layerOf(file) === 'rules' && /new Date\(\)|Date\.now|Temporal\.Now/.test(text),
    ),
    bad: { file: 'mail/rules/a.ts', text: 'export const today = () => new Date()' },
    good: { file: 'mail/rules/a.ts', text: 'export const day = (now: Date) => new Date(now)' },
  },
  'no circles': {
    rule: circles,
    bad: { file: 'mail/rules/a.ts', text: "export { b } from '../rules/a.ts'" },
    good: { file: 'mail/rules/a.ts', text: "import type { a } from './a.ts'\nimport { b } from './b.ts'" },
  },
  'imports carry their extension': {
    rule: ofImports((_, to) => isOurs(to) && !/\.(tsx?|css|svg)$/.test(to)),
    bad: { file: 'a.tsx', text: "import './a'" },
    good: { file: 'a.tsx', text: "import './a.css'" },
  },
  'forms are read by kit/submit.ts only, once for each request; in the browser, before they are sent': {
    rule: ofFiles(({ file, text }) => !readers.includes(file) && /\.formData\(\)/.test(text)),
    bad: { file: 'a.ts', text: 'const form = await request\n  .clone()\n  .formData()' },
    good: { file: 'a.ts', text: 'const form = await formOf(request)' },
  },
  'dates, money and numbers are written out in shared/format.ts only': {
    rule: ofFiles(({ file, text }) => file !== 'shared/format.ts' && formatting.test(text)),
    bad: { file: 'a.tsx', text: "new Intl.DateTimeFormat('es-MX')" },
    good: { file: 'a.tsx', text: 'new Intl.Collator()' },
  },
  'times are told on a clock of twelve hours, its day period as shared/format.ts spells it': {
    rule: ofFiles(({ text }) => otherClock.test(text)),
    bad: { file: 'a.tsx', text: "const help = 'Escribe la hora como 18:00.'" },
    good: { file: 'a.tsx', text: "minuteAt(date, '18:00'), 'Escribe la hora como 6:00 p. m.'" },
  },
  'texts are compared by shared/text.ts only': {
    rule: ofFiles(({ file, text }) => file !== 'shared/text.ts' && /Intl\.Collator|localeCompare/.test(text)),
    bad: { file: 'a.tsx', text: 'names.sort((a, b) => a.localeCompare(b))' },
    good: { file: 'a.tsx', text: 'names.sort(bySpanish)' },
  },
  'what is shared has a name': {
    rule: ofFiles(({ file }) => vague.test(file)),
    bad: { file: 'kit/utils/a.ts', text: '' },
    good: { file: 'shared/services.ts', text: '' },
  },
  'no file only passes on what others offer': {
    rule: ofFiles((source) => /(^|\/)index\.tsx?$/.test(source.file) || onlyPassesOn(source)),
    bad: {
      file: 'all.ts',
      text: "/** All. */\nexport * from './a.ts'\nexport {\n  b,\n} from './b.ts'\n",
    },
    good: { file: 'all.ts', text: "export * from './a.ts'\nexport const c = 1" },
  },
  'folders are three deep at most': {
    rule: ofFiles(({ file }) => file.split('/').length > 4),
    bad: { file: 'mail/screens/b/c/d.ts', text: '' },
    good: { file: 'platform/b/c/d.ts', text: '' },
  },
}
