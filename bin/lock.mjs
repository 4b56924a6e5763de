import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Does the work while no other start of this checkout does it; waits for the other one meanwhile. */
export function locked(file, work) {
  let told = false
  while (!take(file)) {
    const holder = Number(contentOf(file))
    if (holder && !isAlive(holder)) rmSync(file, { force: true })
    else if (!told)
      console.log(
        `Otro arranque (proceso ${holder || '?'}) está instalando o compilando; esperando… (${file})`,
      )
    told = true
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
