import sharp from 'sharp'
import type { Person } from '../kit/people.ts'
import type { Answer } from '../kit/visitor.ts'
import type { World } from '../kit/world.ts'

/** A photo as a phone takes it, of one colour. */
export const photo = async (background = '#3a7'): Promise<Blob> => {
  const bytes = await sharp({ create: { width: 1400, height: 1000, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
}

/** Sends a form that carries a photo, as a page without JavaScript does. */
export async function upload(
  world: World,
  path: string,
  fields: Record<string, string>,
  picture: Blob | null,
  as: Person,
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('photo', picture ?? new Blob([]), picture ? 'foto.jpg' : '')
  const encoded = new Response(form)
  const headers = { origin: 'http://carga.test', 'content-type': encoded.headers.get('content-type') }
  const body = Buffer.from(await encoded.arrayBuffer()) as unknown as string
  return world.send(path, as, { method: 'POST', body, headers })
}
