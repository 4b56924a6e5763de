import { Refusal } from '../../../domain/shared/refusal.ts'

/** What the system says when nothing more fits: the disk, somebody's share of it, or a file that may not grow. */
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Said where a file has no room: nothing of it was kept, and a phone tries again by itself. */
export class NoSpace extends Refusal {
  constructor() {
    super('unavailable', {
      title: 'No hay espacio para guardar',
      description: 'Ahora no podemos guardar archivos. No se guardó nada de este; inténtalo más tarde.',
    })
  }
}

/** Does what writes to the disk; where nothing more fits, that is a refusal. */
export async function withSpace<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (full.has((cause as NodeJS.ErrnoException).code ?? '')) throw new NoSpace()
    throw error
  }
}
