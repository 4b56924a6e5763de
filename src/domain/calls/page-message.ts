import { z } from 'zod'
import { tidyLines } from '../shared/tidy.ts'
import { longestLine } from './call-room.ts'

/** What a participant sends now: microphone, camera, screen. */
const media = z.object({ audio: z.boolean(), video: z.boolean(), screen: z.boolean() })
export type Media = z.output<typeof media>

/** What only browsers write; NUL and halves of characters can't be kept. */
const written = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\0\p{Cs}]*$/u)
/** The longest description browsers write is some 20 kB. */
const longestSdp = 60_000
const signal = z.union([
  z.object({
    description: z.object({
      type: z.enum(['offer', 'answer', 'rollback', 'pranswer']),
      sdp: written(longestSdp).optional(),
    }),
  }),
  z.object({
    candidate: z
      .object({
        candidate: written(2_000),
        sdpMid: written(100).nullish(),
        sdpMLineIndex: z.int().min(0).max(100).nullish(),
        usernameFragment: written(500).nullish(),
      })
      .nullable(),
  }),
])
/** Signaling messages between the two browsers. */
export type Signal = z.output<typeof signal>

/** A line of the chat that is too long loses its end: refused, its page would send it again and again. */
const cut = (text: string) => [...text].slice(0, longestLine).join('')

/**
 * What a page says on its socket. `join` takes the place of its side, or takes it back after a lost connection; `page` is
 * drawn once by each page. `ice` asks for fresh servers.
 */
export const pageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping'), at: z.number() }),
  z.object({ type: z.literal('join'), page: z.uuid(), media }),
  z.object({ type: z.literal('media'), media }),
  z.object({ type: z.literal('signal'), to: z.uuid(), signal }),
  z.object({
    type: z.literal('chat'),
    id: z.uuid(),
    text: z.preprocess(tidyLines, z.string()).transform(cut),
  }),
  z.object({ type: z.literal('ice') }),
  z.object({ type: z.literal('leave') }),
])
export type PageMessage = z.output<typeof pageMessage>
