import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { slotsOf } from '../src/domain/reports/photos.ts'
import { addTechnicians, addVisits, openSessions, spread } from './crowd.ts'
import { hundredth } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack } from './stack.ts'

const photos = Number(process.env.PHOTOS ?? sized(1000, 4))
const [technicians, visitsEach, phones] = [4, sized(25, 2), 3]
const goals = { growth: 100, most: 700 }
const slots = slotsOf.visit.slice(0, 12)

/** Photos of 12 megapixels and some 3 to 4 MB, no two alike: noise of another strength and shade, and a number behind the last byte. */
async function samples(): Promise<Buffer[]> {
  const made: Buffer[] = []
  for (const [nth, sigma] of sized([14, 17, 20, 22, 24, 26], [14]).entries()) {
    const noise = { type: 'gaussian', mean: 90 + nth * 14, sigma } as const
    made.push(
      await sharp({ create: { width: 4000, height: 3000, channels: 3, noise, background: '#777' } })
        .jpeg({ quality: 80 })
        .toBuffer(),
    )
  }
  return made
}

/** Milliseconds to make a photo smaller in this process, without anything around it. */
async function shrunk(photo: Buffer): Promise<number> {
  const from = performance.now()
  await sharp(photo).resize(2048).jpeg().toBuffer()
  return performance.now() - from
}

/** The app and the processes it works on pictures with, in megabytes; shared pages count for each. */
function memory(pid: number) {
  const listed = execFileSync('ps', ['-o', 'rss=', '-p', String(pid), '--ppid', String(pid)], {
    encoding: 'utf8',
  })
  const each = listed
    .trim()
    .split('\n')
    .map((line) => Math.round(Number(line) / 1024))
  return { all: each.reduce((sum, one) => sum + one, 0), app: each[0] ?? 0, processes: each.length - 1 }
}

const bases = await samples()
const stack = await openStack()
try {
  const { pool } = stack
  const pid = stack.pid!
  const people = await addTechnicians(pool, technicians)
  await addVisits(pool, spread(people, visitsEach))
  const cookies = await openSessions(pool, people)
  const { rows: visits } = await pool.query<{ id: string; assignee_id: string }>(
    'select id, assignee_id from appointments order by id',
  )
  const send = async (nth: number) => {
    const visit = visits[Math.floor(nth / slots.length) % visits.length]!
    const bytes = Buffer.concat([bases[nth % bases.length]!, Buffer.from(String(nth))])
    const query = new URLSearchParams({
      slot: slots[nth % slots.length]!,
      capturedAt: new Date().toISOString(),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    const started = performance.now()
    const answer = await fetch(`${stack.origin}/onsite/${visit.id}/files/${randomUUID()}?${query}`, {
      method: 'PUT',
      headers: {
        origin: stack.origin,
        'x-person': visit.assignee_id,
        cookie: cookies[people.indexOf(visit.assignee_id)]!,
      },
      body: bytes,
    })
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    return performance.now() - started
  }

  const lines: Line[] = []
  const tell = (what: string, more: Partial<Line> = {}) => {
    const { all, app, processes } = memory(pid)
    lines.push({ what, MB: all, app, processes, ...more })
    return all
  }
  const alone = await shrunk(bases[0]!)
  lines.push({ what: 'limit: one photo made smaller, alone', p50: Math.round(alone) })
  tell('before the first')
  const times: number[] = []
  let next = 0
  let [at100, peak] = [0, 0]
  const started = performance.now()
  const phone = async () => {
    while (next < photos) {
      times.push(await send(next++))
      peak = Math.max(peak, times.length % 10 === 0 ? memory(pid).all : 0)
      if (times.length === 100) at100 = tell('after the 100th')
      else if (times.length % 250 === 0) tell(`after the ${times.length}th`)
    }
  }
  await Promise.all(Array.from({ length: phones }, phone))
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const last = tell('at the end', {
    seconds: Math.round(seconds),
    perSecond: Math.round((photos / seconds) * 10) / 10,
  })
  lines.push({
    what: 'growth since the 100th',
    MB: last - at100,
    goal: `<= ${goals.growth} MB`,
    met: isFast(last - at100 <= goals.growth),
  })
  lines.push({
    what: 'most at any time',
    MB: peak,
    goal: `<= ${goals.most} MB`,
    met: isFast(peak <= goals.most),
  })
  lines.push({
    what: 'milliseconds for one',
    p50: Math.round(times[times.length >> 1]!),
    ofLimit: hundredth(times[times.length >> 1]! / alone),
    max: Math.round(times.at(-1)!),
  })
  const sizes = bases.map(({ length }) => (length / 1e6).toFixed(1)).join(', ')
  report('files', `Photos of 4000 × 3000 (${sizes} MB), ${photos} from ${phones} phones at once`, lines)
} finally {
  await stack.close()
}
