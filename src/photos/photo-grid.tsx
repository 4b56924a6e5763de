import { type MouseEvent, useState } from 'react'
import { isSignature, slotFacts, slotsOf } from '../reports/rules/photos.ts'
import type { SheetFile, SheetKind } from '../reports/rules/report.ts'
import { dateTime } from '../shared/format.ts'
import { cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { PhotoImage } from './photo-image.tsx'
import { PhotoViewer } from './photo-viewer.tsx'

type ShownFile = Omit<SheetFile, 'sentSha256' | 'proves'>

type PhotoGridProps = {
  kind: SheetKind
  files: readonly ShownFile[]
  /** Who reads: the office also sees when it arrived and why it was kept, and its hash in front of the page. */
  reader: 'office' | 'customer'
  /** All that an opened picture leads to, where these are some of them. */
  through?: readonly ShownFile[]
}

/** Minutes of delay from which a photo shows that it arrived later than it was taken. */
const lateAfter = 10

/**
 * The photos and signatures of a sheet, in the order they are asked; a tap shows one whole, with links to the
 * others.
 */
export function PhotoGrid({ kind, files, reader, through = files }: PhotoGridProps) {
  const [open, setOpen] = useState<{ first: string; opener: HTMLElement } | null>(null)
  const photos = inOrder(kind, through).map((file) => ({
    file,
    id: file.id,
    label: slotFacts(kind, file.slot)?.label ?? file.slot,
    fullUrl: `/files/${file.id}/full`,
    note: (
      <>
        {dateTime(file.capturedAt)}
        {reader === 'office' && <code className="ml-2">SHA-256 {file.sha256.slice(0, 12)}…</code>}
      </>
    ),
  }))
  const here = new Set(files.map(({ id }) => id))
  const show = (id: string) => (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    setOpen({ first: id, opener: event.currentTarget })
  }
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(min(11rem,100%),1fr))]">
        {photos
          .filter(({ id }) => here.has(id))
          .map(({ file, id, label, fullUrl }) => (
            <li key={id} className={classNames(cardClass, 'grid grid-cols-1 content-start overflow-hidden')}>
              <a href={fullUrl} aria-label={`Ver ${label}`} onClick={show(id)} className="-outline-offset-2">
                <PhotoImage
                  src={`/files/${id}/list`}
                  alt=""
                  loading="lazy"
                  width={file.width}
                  height={file.height}
                  className={classNames(
                    'aspect-4/3 w-full',
                    isSignature(file.slot) ? 'bg-[white] object-contain p-2' : 'bg-hover object-cover',
                  )}
                />
              </a>
              <PhotoNotes file={file} label={label} reader={reader} />
            </li>
          ))}
      </ul>
      {open && <PhotoViewer photos={photos} {...open} onClose={() => setOpen(null)} />}
    </>
  )
}

const inOrder = (kind: SheetKind, files: readonly ShownFile[]) =>
  files.toSorted((one, other) => slotsOf[kind].indexOf(one.slot) - slotsOf[kind].indexOf(other.slot))

type PhotoNotesProps = Pick<PhotoGridProps, 'reader'> & { file: ShownFile; label: string }

function PhotoNotes({ file, label, reader }: PhotoNotesProps) {
  const { capturedAt, arrivedAt, keptBecause } = file
  const isLate = arrivedAt.getTime() - capturedAt.getTime() > lateAfter * 60_000
  return (
    <div className="grid grid-cols-1 gap-0.5 p-3 text-sm wrap-anywhere text-mute">
      <p className="font-semibold text-ink">{label}</p>
      <p>{dateTime(capturedAt)}</p>
      {reader === 'office' && (
        <>
          {isLate && <p>Llegó {dateTime(arrivedAt)}</p>}
          {keptBecause && <p className="text-wait">Conservada: {keptBecause}</p>}
        </>
      )}
    </div>
  )
}
