type Answers = { approvedAt: Date | null; refusedAt: Date | null; withdrawnAt: Date | null }

/** How a request for time off stands, and what the colour of its badge means. */
export const timeOffStates = {
  asked: { label: 'Por aprobar', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'ok' },
  refused: { label: 'Rechazado', tone: 'bad' },
  withdrawn: { label: 'Retirado', tone: 'neutral' },
} as const
export type TimeOffState = keyof typeof timeOffStates

/** Computed from what was answered, never stored. */
export function timeOffState({ approvedAt, refusedAt, withdrawnAt }: Answers): TimeOffState {
  if (withdrawnAt) return 'withdrawn'
  if (refusedAt) return 'refused'
  return approvedAt ? 'approved' : 'asked'
}
