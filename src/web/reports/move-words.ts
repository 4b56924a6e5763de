import type { DraftMove } from '../offline/rows.ts'

/** How a step is called while it waits. */
export const moveWords: Record<DraftMove['move'], string> = {
  setOut: 'En camino',
  start: 'Inicio de la cita',
  pause: 'Pausa',
  resume: 'Fin de la pausa',
  submit: 'Reporte terminado',
}
