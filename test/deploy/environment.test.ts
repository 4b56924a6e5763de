import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { parseEnv } from '../../src/app/env.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const table = read('docs/environment.md')

test('the table of the environment has every variable the app reads, and no other', () => {
  // The application's own, and those that its parts declare and it joins.
  const entry = 'src/app/env.ts'
  const parts = [...read(entry).matchAll(/ from '(\.[^']+)'/g)].map(([, to]) =>
    path.join(path.dirname(entry), to!),
  )
  const parsed = [entry, ...parts]
    .flatMap((file) => [...read(file).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)])
    .map(([, name]) => name)
  const app = table.slice(0, table.indexOf('## Tests only'))
  const told = [...app.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  expect(told.toSorted()).toEqual([...new Set(parsed)].toSorted())
})

test('what deploy/ sets for the app stands in that table', () => {
  const set = [
    ...read('deploy/container/env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm),
    ...read('deploy/systemd/carga-en-casa-web@.service').matchAll(/[ =]([A-Z][A-Z0-9_]+)=/g),
    ...read('deploy/systemd/carga-en-casa-worker.service').matchAll(/[ =]([A-Z][A-Z0-9_]+)=/g),
    ...read('deploy/container/Containerfile').matchAll(/^ENV (\w+)=|(?<=^ENV.*) (\w+)=/gm),
  ].map(([, first, second]) => first ?? second)
  expect(set.length).toBeGreaterThan(15)
  for (const name of set) expect(table).toContain(`\`${name}\``)
})

test.each([
  ['smtp://u:p@mail.example.mx:587', true],
  ['smtp://u:p@mail.example.mx/?requireTLS=false', true],
  ['smtps://u:p@mail.example.mx', undefined],
  ['smtp://mail.example.mx', undefined],
  ['smtp://u:p@127.0.0.1:2525', undefined],
  ['smtp://u:p@localhost', undefined],
])('a password for mail leaves this machine under TLS only: %s', (SMTP_URL, demanded) => {
  const { options } = createTransport({ url: parseEnv({ SMTP_URL }).SMTP_URL, pool: true })
  expect(options.requireTLS).toBe(demanded)
})

test('what runs has a bound of memory and processes, of one version, and room for all uploads at once', () => {
  const compose = read('deploy/container/compose.yaml')
  for (const [, image] of compose.matchAll(/image: (\S+\/\S+)/g)) expect(image).toMatch(/:\d+\.\d+/)
  for (const [, image] of read('deploy/container/Containerfile').matchAll(/^ARG \w+=(.+)/gm))
    expect(image).toMatch(/:\d+\.\d+/)
  for (const limit of [/^ +mem_limit:/gm, /^ +pids_limit:/gm]) expect(compose.match(limit)).toHaveLength(4)
  for (const unit of ['web@', 'worker', 'backup'])
    expect(read(`deploy/systemd/carga-en-casa-${unit}.service`)).toMatch(/^MemoryMax=\dG\nTasksMax=\d+$/m)
  const numberIn = (file: string, at: RegExp) => Number(at.exec(read(`src/${file}.ts`))?.[1])
  const forms = numberIn('platform/storage/bodies', /openPlaces\(\{ all: (\d+)/)
  const photos = numberIn('reports/photo-addresses', /openPlaces\(\{ all: (\d+)/)
  const broken = numberIn('platform/storage/broken-uploads', /bytes: (\d+) \* megabyte/)
  // A picture's two sizes are a third of it at most.
  const most = (forms * 13 + photos * 12) * (4 / 3) + broken
  expect(Number(/TMP_SIZE:-(\d+)g/.exec(compose)?.[1]) * 1024).toBeGreaterThan(most)
})

test('every file of the sources that deploy/ starts exists', () => {
  const starts = readdirSync(path.join(root, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => [
      ...readFileSync(path.join(entry.parentPath, entry.name), 'utf8').matchAll(
        /\b(?:src|seeds)\/[\w./-]+\.m?[jt]sx?\b/g,
      ),
    ])
    .map(([file]) => file)
  expect(starts.length).toBeGreaterThan(4)
  for (const file of starts) expect(existsSync(path.join(root, file)), file).toBe(true)
})
