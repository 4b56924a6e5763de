import { randomUUID } from 'node:crypto'
import type { CallSide } from '../src/domain/calls/room.ts'
import { toDate } from '../src/domain/shared/calendar.ts'
import type { Tx } from '../src/server/platform/database/client.ts'
import { callMessages, callSittings, calls } from '../src/server/platform/database/schema/appointments.ts'

/** A completed call of the demo world; times are epoch minutes. */
export type HeldCall = {
  appointmentId: string
  customerId: string
  performerId: string
  start: number
  end: number
}

/** The chats of the calls, used in turns. */
const talks = [
  {
    summary:
      'Revisamos los trámites con CFE para un segundo medidor.\n\nCon el recibo a su nombre no hace falta cambio de titular; el trámite tarda de 15 a 45 días.',
    nextSteps:
      'Agenda tu visita técnica desde tu cuenta.\nTen a la mano tu recibo de CFE y una identificación.',
    notes: 'Recibo a nombre de la esposa: confirmar titular.\nTarifa 1C, consumo alto en verano.',
    chat: [
      ['customer', 4, '¿Puedo usar el mismo medidor de la casa?'],
      ['analyst', 5, 'Sí, pero con uno aparte la tarifa del auto sale más barata.'],
      ['customer', 12, 'Perfecto, prefiero el segundo medidor.'],
    ],
  },
  {
    summary:
      'Comparamos cargar en 127 V y en 220 V: con un cargador de 7.4 kW tu auto queda listo en una noche.\n\nTu tablero parece suficiente; lo confirma el técnico en la visita.',
    nextSteps: 'Agenda tu visita técnica.\nNosotros te preparamos la cotización con lo que mida el técnico.',
    notes: 'Auto: BYD Dolphin, llega en enero.\nEstacionamiento propio a unos 12 m del medidor.',
    chat: [
      ['analyst', 2, '¿Me escuchas bien?'],
      ['customer', 2, 'Sí, ahora sí.'],
      ['customer', 15, '¿La visita tiene costo?'],
      ['analyst', 16, 'No, es gratis.'],
    ],
  },
] as const

/** Minutes before the start at which each side entered; both stayed to the end. */
const early: Record<CallSide, number> = { customer: 4, analyst: 1 }

/** Writes the data of completed calls: who was in the room, their chat, and the outcome. */
export async function writeCalls(tx: Tx, held: readonly HeldCall[]): Promise<void> {
  await tx.insert(calls).values(
    held.map(({ appointmentId, end, start }, n) => {
      const { chat, ...said } = talks[n % talks.length]!
      return {
        appointmentId,
        ...said,
        notesVersion: 1,
        metAt: toDate(start - early.analyst),
        updatedAt: toDate(end),
      }
    }),
  )
  await tx
    .insert(callSittings)
    .values(held.flatMap((call) => [stay(call, 'customer'), stay(call, 'analyst')]))
  await tx.insert(callMessages).values(held.flatMap(linesOf))
}

const whose = (call: HeldCall, side: CallSide) => (side === 'customer' ? call.customerId : call.performerId)

const stay = (call: HeldCall, side: CallSide) => ({
  appointmentId: call.appointmentId,
  side,
  userId: whose(call, side),
  sessionId: randomUUID(),
  pageId: randomUUID(),
  media: { audio: true, video: true, screen: false },
  joinedAt: toDate(call.start - early[side]),
  leftAt: toDate(call.end),
  leftBecause: 'ended' as const,
})

const linesOf = (call: HeldCall, n: number) =>
  talks[n % talks.length]!.chat.map(([side, after, text]) => ({
    id: randomUUID(),
    appointmentId: call.appointmentId,
    authorId: whose(call, side),
    side,
    text,
    at: toDate(call.start + after),
  }))
