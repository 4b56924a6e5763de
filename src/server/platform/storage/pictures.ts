import path from 'node:path'
import { refuse } from '../../../domain/shared/refusal.ts'
import { NoSpace } from './full-disk.ts'
import { openChild, type PictureChild } from './picture-child.ts'
import type { PictureQuestion } from './picture-process.ts'
import type { Fault, Sizes } from './picture-sizes.ts'
import { turnstile } from './turnstile.ts'

/** Pictures worked on at the same time: each takes a processor. */
const mostAtOnce = 2
/** How long processes without work are kept. */
const idleMs = 60_000

/** What the processes run, and how long they have for a picture. */
type Wish = { file?: string; timeMs?: number }

/**
 * Makes the sizes of pictures in processes of their own; others wait in line, and one person
 * holds one place of it. A process that dies or takes too long is its
 * picture's fault and nobody else's.
 */
export function openPictures({ file = processFile(), timeMs = 30_000 }: Wish = {}) {
  const idle: PictureChild[] = []
  const inTurn = turnstile(mostAtOnce)
  let tired: NodeJS.Timeout | undefined
  const rest = (child: PictureChild) => {
    idle.push(child)
    clearTimeout(tired)
    tired = setTimeout(() => {
      for (const one of idle.splice(0)) one.end()
    }, idleMs)
    tired.unref()
  }
  const take = () => {
    for (let child = idle.pop(); child; child = idle.pop()) if (child.isAlive()) return child
    return openChild(file)
  }
  return (question: PictureQuestion, person: string): Promise<Sizes> =>
    inTurn(async () => {
      const child = take()
      const answer = await child.ask(question, timeMs)
      if (answer?.retires) child.end()
      else if (answer) rest(child)
      const made = answer?.made ?? 'broken'
      if (made === 'no-space') throw new NoSpace()
      return typeof made === 'string' ? refuse('invalid-argument', words[made]) : made
    }, person)
}

const words: Record<Exclude<Fault, 'no-space'> | 'unknown-kind', string> = {
  'unknown-kind': 'Este archivo no es una foto que podamos leer. Usa JPEG, PNG, WebP o HEIC.',
  broken: 'Esta foto está dañada o incompleta. Tómala de nuevo.',
  moving: 'Esto es una animación. Toma una foto.',
  'too-many-pixels': 'Esta foto tiene demasiados megapíxeles. Tómala con la resolución normal de tu cámara.',
}

/** From the source, beside which the build stands; found as the folder of built files is. */
const processFile = () => path.resolve('src/server/platform/storage/picture-process.ts')

/** The one line that all of a process's pictures wait in. */
export const sizesOf = openPictures()
