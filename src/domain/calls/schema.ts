import { z } from 'zod'
import { shortestNote } from '../appointments/appointment.ts'
import { howItEnded } from '../appointments/schema.ts'
import { lengthOf, tidyLines } from '../shared/text.ts'
import { longestLine, longestNextSteps, longestNotes, longestSummary } from './room.ts'

const lines = (max: number) =>
  z.preprocess(
    tidyLines,
    z.string().refine((text) => lengthOf(text) <= max, `Usa como máximo ${max} caracteres.`),
  )

/** The end of a call: held to its end, its customer reads what was talked about and what comes next; otherwise why not. */
const finishingCallInput = z
  .object({
    ...howItEnded,
    summary: lines(longestSummary),
    nextSteps: lines(longestNextSteps),
  })
  .superRefine(({ closingNote, nextSteps, outcome, reason, summary }, { addIssue }) => {
    const wrong = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    const isShort = (text: string) => lengthOf(text) < shortestNote
    const least = `con al menos ${shortestNote} caracteres.`
    if (outcome === 'completed' && isShort(summary)) wrong('summary', `Cuenta de qué hablaron, ${least}`)
    if (outcome === 'completed' && isShort(nextSteps)) wrong('nextSteps', `Dile qué sigue, ${least}`)
    if (outcome !== 'completed' && reason === null) wrong('reason', 'Elige por qué no se completó.')
    if (outcome !== 'completed' && reason === 'otro' && isShort(closingNote))
      wrong('closingNote', `Cuenta por qué, ${least}`)
  })
  .transform(({ closingNote, nextSteps, reason, summary, ...rest }) => {
    const isCompleted = rest.outcome === 'completed'
    return {
      ...rest,
      // Chosen, or written, before the outcome was changed back.
      reason: isCompleted ? null : reason,
      closingNote: (!isCompleted && closingNote) || null,
      summary: summary || null,
      nextSteps: nextSteps || null,
    }
  })
export type FinishingCall = z.output<typeof finishingCallInput>

/** Kept as it was typed: only what PostgreSQL refuses is taken out, and browsers send other line ends than they show. */
const asTyped = (sent: unknown) =>
  typeof sent === 'string' ? sent.replace(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed() : ''

const notesInput = z.object({
  notes: z.preprocess(
    asTyped,
    z
      .string()
      .refine((text) => lengthOf(text) <= longestNotes, `Usa como máximo ${longestNotes} caracteres.`),
  ),
  // Without notes the first version is 0.
  version: z.coerce.number<string>().int().min(0).max(1_000_000_000),
})
export type WrittenNotes = z.output<typeof notesInput>

/** The forms that the screen of a call to be held has of its own. */
export const ownCallInput = { finish: finishingCallInput, notes: notesInput }

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
