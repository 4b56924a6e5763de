import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { cost, patternsIn } from './patterns.ts'

// One who writes the text decides how long it is: a pattern that looks at it again from everywhere holds the process for
// the square of that. recheck finds such patterns by what they mean (ASVS 1.3.12).

const root = new URL('../src', import.meta.url).pathname
const patterns = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => patternsIn(file, readFileSync(path.join(root, file), 'utf8')))

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const host = String.raw`(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?`
const degrees = String.raw`([-+]?\d{1,3}(?:\.\d+)?)`
const pair = `${degrees},[+ ]?${degrees}`
/** Those that are put together when the program runs, by how they stand there, each as it comes out. */
const built: Record<string, string> = {
  'new RegExp(`^(give|except)_(${uuid})$`)': `^(give|except)_(${id})$`,
  'new RegExp(`^offer_(${uuid})_(\\\\d{7,9})$`)': `^offer_(${id})_(\\d{7,9})$`,
  "new RegExp(`[${separator === '|' ? '\\\\|' : separator}\\\\r\\\\n]`, 'g')": '[;\\r\\n]',
  'new RegExp(`^[^|]{1,${most}}$`)': '^[^|]{1,254}$',
  'new RegExp(`^\\\\d{${digits}}$`)': '^\\d{12}$',
  // Three of its 48 words, with the signs that may stand in them.
  "new RegExp(`[ ,](${capitalRegimes.map(written).join('|')})$`)":
    '[ ,](S\\.? ?A\\.? ?DE ?C\\.? ?V\\.?|S\\.? ?A\\.?|SOCIEDAD ?CIVIL)$',
  "new RegExp(`^stuns?:${host}$`, 'i')": `^stuns?:${host}$`,
  "new RegExp(String.raw`^turns?:${host}(\\?transport=(udp|tcp))?$`, 'i')": `^turns?:${host}(\\?transport=(udp|tcp))?$`,
  "new RegExp(`^${socketPath('([^/?]+)')}(?:\\\\?|$)`)": '^/call/([^/?]+)/socket(?:\\?|$)',
  // Of a file that the operator gives to a command.
  'new RegExp(`${name}\\\\s*:\\\\s*"?([^",\\\\s}]+)`)': 'rounds\\s*:\\s*"?([^",\\s}]+)',
  'new RegExp(`^/admin(?:/(?:${below}))?(?:\\\\.data)?$`)': `^/admin(?:/(?:account|appointments-pending(?:/${id})?|appointments-done/${id}))?(?:\\.data)?$`,
  "new RegExp(`^/api/v1${route.path.replace(/\\{\\w+\\}/g, '[^/]+')}$`)": '^/api/v1/events/[^/]+/replay$',
  'new RegExp(`^/files/${id}/(?:full|list)$`)': `^/files/${id}/(?:full|list)$`,
  // What a map application copies.
  'new RegExp(String.raw`^\\(?${degrees}°?[,;\\s]\\s*${degrees}°?\\)?$`)': `^\\(?${degrees}°?[,;\\s]\\s*${degrees}°?\\)?$`,
  'new RegExp(`!3d${degrees}!4d${degrees}`)': `!3d${degrees}!4d${degrees}`,
  'new RegExp(`[?&](?:q|query|destination|daddr)=(?:loc:)?${pair}`)': `[?&](?:q|query|destination|daddr)=(?:loc:)?${pair}`,
  'new RegExp(`[?&](?:ll|center)=${pair}`)': `[?&](?:ll|center)=${pair}`,
  'new RegExp(`@${pair}`)': `@${pair}`,
}

test('no pattern costs more than the text is long', () => {
  const literals = new Map(
    patterns.filter((one) => !one.built).map((one) => [`/${one.source}/${one.flags}`, one]),
  )
  expect(literals.size).toBeGreaterThan(200)
  const slow = [...literals].flatMap(([pattern, { file, flags, source }]) => {
    const found = cost(source, flags)
    return found === 'as the text' ? [] : [`${file}: ${pattern} costs a ${found} of the text`]
  })
  expect(slow).toEqual([])
})

test('nor does one that is put together, and each of those is known', () => {
  const made = patterns.filter((one) => one.built).map(({ source }) => source)
  expect(made.toSorted()).toEqual(Object.keys(built).toSorted())
  for (const source of Object.values(built))
    expect([source, cost(source, 'i')]).toEqual([source, 'as the text'])
})

test.each([
  ['what held the process for 22 seconds', "name.replace(/^[. ]+|[. ]+$/g, '')"],
  ['spaces before an ending', "typed.replace(/\\s*m(etros)?\\.?$/i, '')"],
  ['spaces around a sign', 'part.split(/\\s*;\\s*/)'],
  ['a repeated choice', '/^(a|a)*$/.test(word)'],
])('%s would be found', (_, code) => {
  const [found] = patternsIn('made.ts', code)
  expect(cost(found!.source, found!.flags)).toMatch(/polynomial|exponential/)
})
