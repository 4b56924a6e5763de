/**
 * First starts of new folders on a slow or busy machine: `node test-slow/start/trials.ts 10 quarter` as root. Prints how
 * long each part took; fails where one was not ready. Conditions: `quiet`, `quarter` of a processor, `busy` beside thirty
 * busy loops, `both`. The packages are there: what `npm install` takes is the network's.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { newCheckout } from './checkout.ts'

const conditions = ['quiet', 'quarter', 'busy', 'both'] as const
const loops = 30
/** A start that takes longer than this many minutes is not ready. */
const patience = 30
const controllers = '/sys/fs/cgroup'
const isSecondVersion = existsSync(path.join(controllers, 'cgroup.controllers'))

const [times = '10', condition = 'quarter'] = process.argv.slice(2)
if (!conditions.some((one) => one === condition)) throw new Error(`Conditions: ${conditions.join(', ')}`)

/** A group of processes that together get a quarter of a processor. */
function quarterGroup() {
  const group = path.join(controllers, ...(isSecondVersion ? [] : ['cpu']), `carga-start-${process.pid}`)
  mkdirSync(group)
  if (isSecondVersion) writeFileSync(path.join(group, 'cpu.max'), '25000 100000')
  else {
    writeFileSync(path.join(group, 'cpu.cfs_period_us'), '100000')
    writeFileSync(path.join(group, 'cpu.cfs_quota_us'), '25000')
  }
  return group
}

const endings: (() => void)[] = []
process.once('exit', () => {
  for (const end of endings.reverse()) end()
})

const below: string[] = []
if (condition === 'quarter' || condition === 'both') {
  const group = quarterGroup()
  endings.push(() => rmdirSync(group))
  // The shell enters the group, and with it all that it becomes and starts.
  below.push('/bin/sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$0" "$@"`)
}
if (condition === 'busy' || condition === 'both')
  for (let n = 0; n < loops; n++) {
    const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    endings.push(() => loop.kill('SIGKILL'))
  }

/** The last word of each step, such as "Building 31 s". */
const stepsIn = (said: string) =>
  [...said.matchAll(/^(.+?)… done, (\d+ s)$/gm)].map(([, step, time]) => `${step} ${time}`).join(', ')

async function trial(): Promise<{ isReady: boolean; line: string }> {
  const checkout = await newCheckout({ installed: true })
  const from = performance.now()
  const start = checkout.start({}, { below })
  const isReady = await Promise.race([
    start.reaches('is ready at').then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, patience * 60_000, false).unref()),
  ])
  const seconds = Math.round((performance.now() - from) / 1000)
  const how = isReady ? `ready after ${seconds} s` : `not ready after ${seconds} s (${start.lastLine()})`
  await start.stop()
  await checkout.remove()
  return { isReady, line: `${how}: ${stepsIn(start.said())}` }
}

let ready = 0
for (let n = 1; n <= Number(times); n++) {
  const { isReady, line } = await trial()
  if (isReady) ready++
  console.log(`${n}. ${line}`)
}
console.log(`${condition}: ready ${ready} of ${times}`)
process.exit(ready === Number(times) ? 0 : 1)
