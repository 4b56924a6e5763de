import { z } from 'zod'
import { shortestNote } from '../../appointments/rules/appointment.ts'
import { howItEnded } from '../../appointments/rules/ends-schema.ts'
import { lengthOf, tidyLines } from '../../shared/text.ts'
import { longestLine, longestNextSteps, longestNotes, longestSummary } from './room.ts'

const lines = (max: number) =>
  z.preprocess(
    tidyLines,
    z.string().refine((text) => lengthOf(text) <= max, `Usa como máximo ${max} caracteres.`),
  )

/**
 * The end of a call: for a completed call, the summary and next steps that its customer reads; otherwise the reason.
 */
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
      // Chosen, or written, before the outcome was set back.
      reason: isCompleted ? null : reason,
      closingNote: (!isCompleted && closingNote) || null,
      summary: summary || null,
      nextSteps: nextSteps || null,
    }
  })
export type FinishingCall = z.output<typeof finishingCallInput>

/** Stored as typed: only what PostgreSQL refuses is removed, and the line ends that browsers send are normalized. */
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

/** The forms of the call screen, in addition to the shared ones. */
export const ownCallInput = { finish: finishingCallInput, notes: notesInput }

/** What a participant currently sends: microphone, camera, screen. */
const media = z.object({ audio: z.boolean(), video: z.boolean(), screen: z.boolean() })
export type Media = z.output<typeof media>

/** Text that only browsers write; NUL and unpaired surrogates cannot be stored. */
const written = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\0\p{Cs}]*$/u)

/** The longest description that browsers write is about 20 kB. */
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

/** A chat line that is too long is cut: if refused, its page would send it again and again. */
const cut = (text: string) => [...text].slice(0, longestLine).join('')

/**
 * A page's message on its socket. `join` takes the place of its side, or takes it back after a lost connection; each
 * page generates its `page` once. `ice` requests new servers.
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
