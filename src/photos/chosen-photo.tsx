import { useEffect, useState } from 'react'
import { inspectPhoto, type Looked, type NoPicture } from '../kit/look-at.ts'
import { doubtsAbout } from './photo-doubt.tsx'

type ChosenPhotoProps = {
  label: string
  file: File
  /** Puts the picture that is to be sent into the form; null where it can't be. */
  fill: (picture: File | null) => void
}

/** A picture chosen for a form: what it shows, what is wrong with it, or why it can't be sent. */
export function ChosenPhoto({ label, file, fill }: ChosenPhotoProps) {
  const shown = useInspected(file, fill)
  const { problem, url, verdict } = shown ?? {}
  return (
    <div className="grid gap-2">
      {verdict && (
        <img
          src={url}
          alt={label}
          className="max-h-48 w-fit max-w-full rounded-control bg-hover object-contain"
        />
      )}
      <div role="status" className="contents">
        {!shown && <p className="text-mute">Revisando la foto…</p>}
        {verdict === null && <p className="text-mute">Lista. No pudimos revisarla: cuida que se vea.</p>}
        {problem && <p className="font-medium text-bad">{problem}</p>}
        {verdict &&
          doubtsAbout(verdict).map(({ title, advice }) => (
            <p key={title} className="text-wait">
              <strong className="font-semibold">{title}.</strong> {advice} Puedes enviarla así.
            </p>
          ))}
      </div>
    </div>
  )
}

function useInspected(file: File, fill: ChosenPhotoProps['fill']) {
  const [shown, show] = useState<(Partial<Looked & NoPicture> & { url?: string }) | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each picture is looked at once
  useEffect(() => {
    let isOver = false
    let url = ''
    show(null)
    const take = (looked: Looked | NoPicture) => {
      // Another one was chosen meanwhile.
      if (isOver) return
      if ('problem' in looked) {
        fill(null)
        return show(looked)
      }
      const { picture } = looked
      if (picture !== file) fill(new File([picture], 'foto.jpg', { type: picture.type }))
      url = URL.createObjectURL(picture)
      show({ ...looked, url })
    }
    inspectPhoto(file).then(take, () => take({ problem: unread }))
    return () => {
      isOver = true
      URL.revokeObjectURL(url)
    }
  }, [file])
  return shown
}

const unread = 'No pudimos leer este archivo. Elige otra foto.'
