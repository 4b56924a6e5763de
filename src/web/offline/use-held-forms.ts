import { useEffect } from 'react'
import { needsNetwork } from '../reports/needs-network.ts'
import type { Phone } from '../reports/phone.ts'
import { useToast } from '../ui/toaster.tsx'
import type { DraftMove } from './draft.ts'
import { isLost } from './network.ts'
import { addMove } from './written.ts'

const kept = {
  setOut: 'Vas en camino',
  start: 'Cita iniciada',
  pause: 'Cita en pausa',
  resume: 'Continúas con la cita',
}
const nowWords = 'Se envía con la hora en que lo hiciste.'
const laterWords = 'Se guardó en tu teléfono. Se enviará con la hora en que lo hiciste.'
const noRoom = {
  title: 'No se pudo guardar en tu teléfono',
  description: 'Libera espacio y hazlo otra vez.',
}
const isKept = (move: string): move is keyof typeof kept => Object.hasOwn(kept, move)

/**
 * The moves of an appointment: those that can be told later are kept on the phone with their moment and go from there, so that
 * the screen goes on at once whatever the network does; the others say that they need one where it is known to be gone.
 */
export function useHeldForms(phone: Phone | null): void {
  const toast = useToast()
  useEffect(() => {
    const hold = (event: SubmitEvent) => {
      const sent = moveIn(event)
      if (!sent || misses(event)) return
      const { appointmentId, folio, move, ...more } = sent
      if (!(phone && isKept(move)) && !isLost()) return
      event.preventDefault()
      event.stopPropagation()
      if (!phone || !isKept(move)) return toast({ variant: 'destructive', ...needsNetwork })
      void addMove(phone, { appointmentId, folio }, { move, ...more }).then(
        () => toast({ title: kept[move], description: isLost() ? laterWords : nowWords }),
        () => toast({ variant: 'destructive', ...noRoom }),
      )
    }
    // Before the screen's own listeners.
    window.addEventListener('submit', hold, true)
    return () => window.removeEventListener('submit', hold, true)
  }, [phone, toast])
}

/** What has to be ticked first is told by the form itself. */
const misses = ({ target }: SubmitEvent) =>
  target instanceof HTMLFormElement && target.querySelector('input[type=checkbox]:required:not(:checked)')

/** The move that a form of an appointment's screen sends. */
function moveIn({ target, submitter }: SubmitEvent) {
  const appointmentId = /^\/admin\/appointments-pending\/([^/]+)$/.exec(location.pathname)?.[1]
  if (!appointmentId || !(target instanceof HTMLFormElement)) return null
  const form = new FormData(target, submitter)
  const move = form.get('move')
  if (typeof move !== 'string') return null
  const reason = form.get('reason')
  const checklist = [...target.querySelectorAll<HTMLInputElement>('input[type=checkbox]:checked')].map(
    ({ name }) => name,
  )
  return {
    ...{ appointmentId, folio: document.querySelector('h1')?.textContent ?? '', move },
    ...(typeof reason === 'string' && reason !== '' && { reason }),
    ...(checklist.length > 0 && { checklist }),
  } satisfies Omit<DraftMove, 'move'> & { appointmentId: string; folio: string; move: string }
}
