import sharp from 'sharp'
import { fixture } from '../kit/open.ts'
import { sendForm } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'

/** A photo as a phone takes it, of one colour. */
export const photo = async (background = '#3a7'): Promise<Blob> => {
  const bytes = await sharp({ create: { width: 1400, height: 1000, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
}

/** Sends a form that carries a photo, as a page without JavaScript does. */
export const upload = (path: string, fields: Record<string, string>, picture: Blob | null, as: Person) =>
  sendForm(fixture, path, fields, as, picture && new File([picture], 'foto.jpg', picture), 'photo')
