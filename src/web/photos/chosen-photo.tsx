import { useEffect, useState } from 'react'
import type { PhotoVerdict } from '../../domain/reports/photo-quality.ts'
import { inspectPhoto } from './look-at.ts'
import { doubtsAbout } from './photo-doubt.tsx'

type Shown =
  | { name: 'looking' | 'unseen' }
  | { name: 'problem'; message: string }
  | { name: 'seen'; url: string; verdict: PhotoVerdict }

type ChosenPhotoProps = {
  label: string
  file: File
  /** Puts the picture that is to be sent into the form; null where it can't be. */
  fill: (picture: File | null) => void
}

/** A picture chosen for a form: what it shows, what is wrong with it, or why it can't be sent. */
export function ChosenPhoto({ label, file, fill }: ChosenPhotoProps) {
  const shown = useInspected(file, fill)
  return (
    <div className="grid gap-2">
      {shown.name === 'seen' && (
        <img
          src={shown.url}
          alt={label}
          className="max-h-48 w-fit max-w-full rounded-control bg-hover object-contain"
        />
      )}
      <div role="status" className="contents">
        {shown.name === 'looking' && <p className="text-mute">Revisando la foto…</p>}
        {shown.name === 'unseen' && (
          <p className="text-mute">Lista. No pudimos revisarla: cuida que se vea.</p>
        )}
        {shown.name === 'problem' && <p className="font-medium text-bad">{shown.message}</p>}
        {shown.name === 'seen' &&
          doubtsAbout(shown.verdict).map(({ title, advice }) => (
            <p key={title} className="text-wait">
              <strong className="font-semibold">{title}.</strong> {advice} Puedes enviarla así.
            </p>
          ))}
      </div>
    </div>
  )
}

function useInspected(file: File, fill: ChosenPhotoProps['fill']): Shown {
  const [shown, show] = useState<Shown>({ name: 'looking' })
  const url = shown.name === 'seen' ? shown.url : null
  useEffect(() => (url ? () => URL.revokeObjectURL(url) : undefined), [url])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each picture is looked at once
  useEffect(() => {
    let isOver = false
    show({ name: 'looking' })
    const take = (looked: Awaited<ReturnType<typeof inspectPhoto>>) => {
      // Another one was chosen meanwhile.
      if (isOver) return
      if ('problem' in looked) {
        fill(null)
        return show({ name: 'problem', message: looked.problem })
      }
      const { picture, verdict } = looked
      if (picture !== file) fill(new File([picture], 'foto.jpg', { type: picture.type }))
      show(verdict ? { name: 'seen', url: URL.createObjectURL(picture), verdict } : { name: 'unseen' })
    }
    inspectPhoto(file).then(take, () => take({ problem: unread }))
    return () => {
      isOver = true
    }
  }, [file])
  return shown
}

const unread = 'No pudimos leer este archivo. Elige otra foto.'
