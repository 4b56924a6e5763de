// Runs the tests with all clocks moved, the application's and the database's: npm run test:clocks
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { command, fail, installPackage } from './bootstrap.mjs'
import { runSteps } from './processes.mjs'
import { ensureChromium, findChromium, findShell } from './system-tools.mjs'

/** The browser tests that depend on days, hours and deadlines. */
const stories = ['customer', 'manager-bookings', 'manager-board', 'manager-people', 'analyst-money']

/**
 * The given hour in Mexico City on the next matching day; Mexico City has no summer time, and this runs on any Node.
 */
const next = (fits, hour, minute) => {
  const day = 24 * 60 * 60_000
  const midnight = Math.floor((Date.now() - 6 * 3_600_000) / day) * day
  const first = Array.from({ length: 800 }, (_, n) => new Date(midnight + (n + 1) * day)).find(fits)
  return new Date(first.getTime() + (6 + hour) * 3_600_000 + minute * 60_000)
}
const isDate = (month, date) => (day) => day.getUTCMonth() === month && day.getUTCDate() === date
/** The Friday before the first Monday of February, which is a holiday. */
const isBeforeLongWeekend = (day) => {
  const monday = new Date(day.getTime() + 3 * 86_400_000)
  return monday.getUTCDay() === 1 && monday.getUTCMonth() === 1 && monday.getUTCDate() <= 7
}

const moments = {
  sunday: next((day) => day.getUTCDay() === 0, 22, 0),
  'new-year': next(isDate(11, 31), 23, 20),
  february: next(isDate(1, 28), 12, 0),
  'long-weekend': next(isBeforeLongWeekend, 17, 0),
}

/** Debian's library that moves clocks, installed where possible; undefined where there is none. */
export const ensureClocks = () => findLibrary() ?? (installPackage('faketime') ? findLibrary() : undefined)

/**
 * What moves the clocks of a process and of those it starts to a moment. Time runs on from there; the monotonic clock,
 * which measures durations, is not moved.
 */
export const clockAt = (library, name) => {
  const ahead = Math.round((moments[name].getTime() - Date.now()) / 1000)
  return { LD_PRELOAD: library, FAKETIME: `+${ahead}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

/** Runs the tests at each moment, or at those named: `npm run test:clocks sunday test/appointments`. */
export async function testAtMoments(...named) {
  const wanted = named.filter((name) => name in moments)
  const files = named.filter((name) => !(name in moments))
  const rules = files.filter((name) => !name.startsWith('e2e'))
  const told =
    files.length > 0
      ? files.filter((name) => name.startsWith('e2e'))
      : stories.map((name) => `e2e/${name}.spec.ts`)

  const library = ensureClocks() ?? fail('libfaketime is missing: apt-get install faketime')
  if (told.length > 0) ensureChromium()
  const [chromium, shell] = [findChromium(), findShell()]
  const browser = chromium && shell ? { CHROMIUM: chromium, CHROMIUM_SHELL: shell } : {}

  const steps = []
  for (const [name, at] of Object.entries(moments)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const env = { ...clockAt(library, name), ...browser }
    const when = `${name}, ${at.toISOString()}`
    if (files.length === 0 || rules.length > 0)
      steps.push({ name: `vitest (${when})`, command: [...command('vitest'), 'run', ...rules], env })
    if (told.length > 0)
      steps.push({
        name: `playwright (${when})`,
        command: [...command('@playwright/test', 'playwright'), 'test', ...told],
        env,
      })
  }
  keepSwept()
  await runSteps(steps)
}

/**
 * Removes the shared memory that libfaketime keeps under the ids of killed processes: ids are reused, and PostgreSQL's
 * user could not open what root left under them.
 */
export function keepSwept() {
  sweepShared()
  setInterval(sweepShared, 5_000).unref()
}

function sweepShared() {
  const shelf = '/dev/shm'
  for (const name of existsSync(shelf) ? readdirSync(shelf) : []) {
    const [, pid] = /^(?:faketime_shm_|sem\.faketime_sem_)(\d+)$/.exec(name) ?? []
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(path.join(shelf, name), { force: true })
  }
}

function findLibrary() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : []
  return ['', ...folders]
    .map((folder) => path.join('/usr/lib', folder, 'faketime/libfaketime.so.1'))
    .find((file) => existsSync(file))
}
