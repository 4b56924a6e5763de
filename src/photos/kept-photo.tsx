import { CircleCheck, CloudUpload, RefreshCw, Smartphone, Trash2 } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import type { Draft, DraftFile } from '../offline/draft.ts'
import { extraSlots } from '../reports/rules/photos.ts'
import { dateTime } from '../shared/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { PhotoImage } from './photo-image.tsx'
import { PhotoViewer } from './photo-viewer.tsx'

/** The picture of a slot, whether it has arrived or not. */
export const fileIn = (files: readonly DraftFile[], slot: string): DraftFile | undefined =>
  files.find((file) => file.slot === slot)

type KeptPhotoProps = { label: string; file: DraftFile; draft: Draft; mayWrite: boolean; paper?: boolean }

/** A kept picture, small, with its sending state; a tap shows it whole. */
export function KeptPhoto({ label, file, draft, mayWrite, paper = false }: KeptPhotoProps) {
  const { id, slot, capturedAt, keptBecause } = file
  return (
    <div className={classNames('flex gap-3', paper && 'flex-col items-start')}>
      <Thumbnail label={label} file={file} paper={paper} />
      <div className="grid min-w-0 flex-1 content-start justify-items-start gap-1.5">
        <FileState file={file} retry={draft.retry} />
        <p className="text-sm text-mute">{dateTime(capturedAt)}</p>
        {keptBecause && <p className="text-sm wrap-anywhere">Conservada: {keptBecause}</p>}
        {mayWrite && extraSlots.includes(slot) && (
          <button
            type="button"
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-bad noscript:hidden"
            onClick={() => draft.dropFile(id)}
          >
            <Trash2 aria-hidden className="size-4.5" />
            Quitar
          </button>
        )}
      </div>
    </div>
  )
}

function Thumbnail({ label, file, paper }: Pick<KeptPhotoProps, 'label' | 'file' | 'paper'>) {
  const { id, url, fullUrl } = file
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const open = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    setOpener(event.currentTarget)
  }
  return (
    <>
      <a href={fullUrl} aria-label={`Ver ${label}`} onClick={open} className="shrink-0 rounded-control">
        <PhotoImage
          src={url}
          alt=""
          width={88}
          height={88}
          className={classNames(
            'rounded-control border border-line',
            paper
              ? 'aspect-[25/14] w-56 max-w-full bg-[white] object-contain'
              : 'size-22 bg-hover object-cover',
          )}
        />
      </a>
      {opener && (
        <PhotoViewer
          photos={[{ id, label, fullUrl }]}
          first={id}
          opener={opener}
          onClose={() => setOpener(null)}
        />
      )}
    </>
  )
}

type FileStateProps = { file: DraftFile; retry: (id: string) => void }

/** How far the sending of a picture is. */
function FileState({ file: { id, status, progress, problem }, retry }: FileStateProps) {
  switch (status) {
    case 'stored':
      return (
        <Badge tone="ok" icon={CircleCheck}>
          Enviada
        </Badge>
      )
    case 'waiting':
      return (
        <Badge tone="info" icon={Smartphone}>
          Guardada en el teléfono
        </Badge>
      )
    case 'sending':
      return (
        <Badge tone="info" icon={CloudUpload}>
          Enviando {Math.round(progress)}&nbsp;%
        </Badge>
      )
    case 'refused':
      return (
        <>
          <Badge tone="bad">No se pudo enviar</Badge>
          {problem && <p className="text-sm">{problem}</p>}
          <Button variant="ghost" className="noscript:hidden" onClick={() => retry(id)}>
            <RefreshCw aria-hidden className="size-4.5" />
            Reintentar
          </Button>
        </>
      )
  }
}
