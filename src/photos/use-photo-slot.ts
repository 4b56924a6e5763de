import { useRef, useState } from 'react'
import { type Checked, type Draft, SamePicture } from '../offline/draft.ts'
import type { PhotoVerdict } from '../reports/rules/photo-quality.ts'
import { samePictureWords } from '../reports/rules/photos.ts'
import type { SheetKind } from '../reports/rules/report.ts'

/** The steps in a slot between choosing a picture and keeping it. */
export type SlotStep =
  /** `unseen`: kept without a check. */
  | { name: 'idle' | 'looking' | 'unseen' }
  | { name: 'doubt'; id: string; slot: string; url: string; verdict: PhotoVerdict }
  | { name: 'problem'; message: string }

const idle: SlotStep = { name: 'idle' }

export type SlotDraft = Pick<Draft, 'raw' | 'takeFile' | 'keepFile' | 'discard'>

/**
 * Takes pictures into a slot of a draft: each is kept, then checked, and a doubtful one waits for its reason, also after
 * its page was gone. `take` answers what came of it: `idle` where it is kept.
 */
export function usePhotoSlot(kind: SheetKind, slot: string, draft: SlotDraft) {
  const [own, setStep] = useState<SlotStep>(idle)
  const turn = useRef(0)
  const raw = draft.raw.findLast((file) => file.slot === slot)
  const step: SlotStep =
    !raw || own.name === 'problem'
      ? own
      : raw.verdict
        ? { ...raw, verdict: raw.verdict, name: 'doubt' }
        : { name: 'looking' }
  const keep = async (keeping: Promise<Checked>) => {
    const nth = ++turn.current
    setStep({ name: 'looking' })
    const end = await keeping.catch((error) => ({
      problem: error instanceof SamePicture ? samePictureWords(kind, error.slot) : noRoom,
    }))
    // Another one was chosen meanwhile.
    if (nth !== turn.current) return 'looking'
    const isNone = typeof end === 'object'
    setStep(isNone ? { name: 'problem', message: end.problem } : { name: end === 'doubt' ? 'idle' : end })
    return isNone ? 'problem' : end
  }
  return {
    step,
    take: (file: Blob, into = slot) => keep(draft.takeFile(into, file)),
    /** Keeps a doubtful picture, and why. */
    keep: ({ id }: Extract<SlotStep, { name: 'doubt' }>, reason: string) =>
      keep(draft.keepFile(id, reason).then(() => 'idle')),
    stop: () => {
      if (raw) draft.discard(raw.id)
      setStep(idle)
    },
  }
}

const noRoom = 'No se pudo guardar en el teléfono. Libera espacio y vuelve a intentarlo.'
