import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { addTechnicians, addVisits, allStarts, openSessions } from '../bench/crowd.ts'
import type { Fault } from './outcome.ts'
import { openEmbedded } from './server.ts'

type World = Awaited<ReturnType<typeof openEmbedded>>

/** A technician at a visit, and the way in which a phone sends a photo of it. */
async function atWork({ origin, pool }: World) {
  const [personId] = await addTechnicians(pool, 1)
  const [cookie] = await openSessions(pool, [personId!])
  await addVisits(pool, [{ personId: personId!, start: allStarts()[0]! }])
  const { rows } = await pool.query<{ id: string }>(
    `update appointments set state = 'in_progress', started_at = now() returning id`,
  )
  const { info, data } = await sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer({ resolveWithObject: true })
  const sha256 = createHash('sha256').update(data).digest('hex')
  const query = new URLSearchParams({ slot: 'facade', capturedAt: new Date().toISOString(), sha256 })
  const url = `${origin}/onsite/${rows[0]!.id}/files/${randomUUID()}?${query}`
  const send = async () => {
    const headers = { cookie: cookie!, origin, 'x-person': personId! }
    const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(data) })
    return { status: answer.status, text: await answer.text() }
  }
  return { send, size: info.size }
}

/** A folder for files that holds two megabytes, filled to its last page. */
export const disk: Fault = async () => {
  const server = await openEmbedded()
  const folder = path.join(server.folder, 'files')
  mkdirSync(folder, { recursive: true })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status === 0
  const told = {
    fault: 'disk full',
    done: 'a photo sent to a folder of 2 MB without a free page, then with space',
    expected: 'a refusal in Spanish, nothing of it stored; sent again it is stored',
  }
  try {
    if (!mounted) return { ...told, measured: 'not provoked: only root may mount a small disk', ok: false }
    const { send, size } = await atWork(server)
    const filler = path.join(folder, 'filler')
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(filler, Buffer.alloc((bavail - 4) * bsize))
    const refused = await send()
    const left =
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length - 1
    const { rowCount } = await server.pool.query('select from files')
    rmSync(filler)
    const again = await send()
    const worded = refused.text.includes('no podemos guardar archivos')
    return {
      ...told,
      measured: `${size} bytes: ${refused.status}, ${worded ? 'in words' : refused.text.slice(0, 80)}; ${rowCount} rows and ${left} files left; then ${again.status}`,
      ok: refused.status === 503 && worded && rowCount === 0 && left === 0 && again.status === 200,
    }
  } finally {
    if (mounted) spawnSync('umount', [folder])
    await server.close()
  }
}
