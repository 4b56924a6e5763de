import { useEffect, useRef, useState } from 'react'
import type { PhotoVerdict } from '../../domain/reports/photo-quality.ts'
import { isSignature, samePictureWords } from '../../domain/reports/photos.ts'
import type { SheetKind } from '../../domain/reports/report.ts'
import { type Draft, SamePicture } from '../offline/draft.ts'

/** The steps in a slot between choosing a picture and keeping it. */
export type SlotStep =
  | { name: 'idle' }
  | { name: 'looking' }
  | { name: 'doubt'; picture: Blob; url: string; verdict: PhotoVerdict }
  | { name: 'problem'; message: string }
  /** Kept without a check. */
  | { name: 'unseen' }

const idle: SlotStep = { name: 'idle' }

/** Takes pictures into one slot of a draft: each is checked first, and a doubtful one waits for its reason. */
export function usePhotoSlot(kind: SheetKind, slot: string, addFile: Draft['addFile']) {
  const [step, setStep] = useState<SlotStep>(idle)
  const turn = useRef(0)
  useUrlEnd(step)
  const keep = async (picture: Blob, reason: string | null, after: SlotStep) => {
    const problem = await addFile(slot, picture, reason).then(
      () => null,
      (error) => (error instanceof SamePicture ? samePictureWords(kind, error.slot) : noRoom),
    )
    setStep(problem === null ? after : { name: 'problem', message: problem })
  }
  const take = async (file: Blob) => {
    const own = ++turn.current
    setStep({ name: 'looking' })
    // Its code comes with the first picture; without it the picture is kept as it is.
    const looked = await import('./look-at.ts')
      .then(({ inspectPhoto }) => inspectPhoto(file))
      .catch(() => ({ picture: file, verdict: null, isGood: false }))
    // Another one was chosen meanwhile.
    if (own !== turn.current) return
    if ('problem' in looked) return setStep({ name: 'problem', message: looked.problem })
    const { picture, verdict, isGood } = looked
    if (!verdict) return keep(picture, null, { name: 'unseen' })
    if (isSignature(slot) || isGood) return keep(picture, null, idle)
    setStep({ name: 'doubt', picture, verdict, url: URL.createObjectURL(picture) })
  }
  return {
    step,
    take,
    keep: (picture: Blob, reason: string) => keep(picture, reason, idle),
    stop: () => setStep(idle),
  }
}

const noRoom = 'No se pudo guardar en el teléfono. Libera espacio y vuelve a intentarlo.'

/** The object URL of a picture is revoked once it is not shown any more. */
function useUrlEnd(step: SlotStep) {
  const url = step.name === 'doubt' ? step.url : null
  useEffect(() => (url ? () => URL.revokeObjectURL(url) : undefined), [url])
}
