import { useEffect, useRef, useState } from 'react'
import type { PhotoVerdict } from '../../domain/reports/photo-quality.ts'
import { isSignature, largestFile, samePictureWords, tooLargeWords } from '../../domain/reports/photos.ts'
import type { SheetKind } from '../../domain/reports/report.ts'
import { type Draft, SamePicture } from '../offline/draft.ts'

/** The steps in a slot between choosing a picture and keeping it. */
export type SlotStep =
  | { name: 'idle' }
  | { name: 'looking' }
  | { name: 'doubt'; slot: string; picture: Blob; url: string; verdict: PhotoVerdict }
  | { name: 'problem'; message: string }
  /** Kept without a check. */
  | { name: 'unseen' }

const idle: SlotStep = { name: 'idle' }

/**
 * Takes pictures into a slot of a draft: each is checked first, and a doubtful one waits for its reason. `take` answers
 * what came of it: `idle` where it is kept.
 */
export function usePhotoSlot(kind: SheetKind, slot: string, addFile: Draft['addFile']) {
  const [step, setStep] = useState<SlotStep>(idle)
  const turn = useRef(0)
  useUrlEnd(step)
  const goTo = (next: SlotStep) => {
    setStep(next)
    return next.name
  }
  const keep = async (into: string, picture: Blob, reason: string | null, after: SlotStep) => {
    const problem = await addFile(into, picture, reason).then(
      () => null,
      (error) => (error instanceof SamePicture ? samePictureWords(kind, error.slot) : noRoom),
    )
    return goTo(problem === null ? after : { name: 'problem', message: problem })
  }
  const take = async (file: Blob, into = slot) => {
    const own = ++turn.current
    setStep({ name: 'looking' })
    // Its code comes with the first picture, that of a doubt too.
    const looked = await Promise.all([import('./look-at.ts'), import('./photo-doubt.tsx')])
      .then(([{ inspectPhoto }]) => inspectPhoto(file))
      .catch(() => unseen(file))
    // Another one was chosen meanwhile.
    if (own !== turn.current) return 'looking'
    if ('problem' in looked) return goTo({ name: 'problem', message: looked.problem })
    const { picture, verdict, isGood } = looked
    if (!verdict) return keep(into, picture, null, { name: 'unseen' })
    if (isSignature(into) || isGood) return keep(into, picture, null, idle)
    return goTo({ name: 'doubt', slot: into, picture, verdict, url: URL.createObjectURL(picture) })
  }
  return {
    step,
    take,
    /** Keeps a doubtful picture, and why. */
    keep: ({ picture, slot: into }: Extract<SlotStep, { name: 'doubt' }>, reason: string) =>
      keep(into, picture, reason, idle),
    stop: () => setStep(idle),
  }
}

/** A picture that could not be looked at is kept as it is; one that no server takes would wait on the phone for ever. */
const unseen = (picture: Blob) =>
  picture.size > largestFile ? { problem: tooLargeWords } : { picture, verdict: null, isGood: false }

const noRoom = 'No se pudo guardar en el teléfono. Libera espacio y vuelve a intentarlo.'

/** The object URL of a picture is revoked once it is not shown any more. */
function useUrlEnd(step: SlotStep) {
  const url = step.name === 'doubt' ? step.url : null
  useEffect(() => (url ? () => URL.revokeObjectURL(url) : undefined), [url])
}
