import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { FieldFrame, type FieldProps, useField } from '../kit/form/field.tsx'
import { watchAnswers } from '../kit/form/unsent.ts'
import { lazyOr } from '../kit/later.tsx'
import { largestFile } from '../reports/rules/photos.ts'
import { PhotoPicker } from './photo-picker.tsx'
import { useTray } from './use-tray.ts'

/** Its code comes with the first picture; without it the picture goes as it is. */
const ChosenPhoto = lazyOr(
  () => import('./chosen-photo.tsx').then((part) => part.ChosenPhoto),
  ({ file }) => <p className="wrap-anywhere text-mute">{file.name}</p>,
)

/** Milliseconds in which a phone that closed the page for its camera is back. */
const justNow = 120_000

type FormPhotoProps = FieldProps & { label: string; byCamera?: boolean }

/**
 * The photo that a form sends with its other fields. It is looked at once it is chosen, and made smaller where it is
 * too large to be sent; a doubtful one may go as it is. This device keeps it until its form is accepted. Without
 * JavaScript it is one box. `byCamera`: it is evidence, sent with when it was taken and, where the phone says it, where.
 */
export default function FormPhoto({ label, name, help, optional, byCamera = false }: FormPhotoProps) {
  const field = useField({ name, help, optional })
  const place = useRef<HTMLDivElement>(null)
  const [spot, setSpot] = useState('')
  const { file, keep } = useKeptPhoto(place, byCamera)
  const fill = (picture: File | null) => {
    const box = place.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)
    const files = new DataTransfer()
    if (picture) files.items.add(picture)
    if (box) box.files = files.files
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each picture once
  useEffect(() => {
    // It may be sent before it was looked at; what no server takes is not.
    if (!file) return
    fill(file.size <= largestFile ? file : null)
    // Of one that was kept before, this is another place.
    if (byCamera && Date.now() - file.lastModified < justNow) locate(setSpot)
  }, [file])
  return (
    <FieldFrame {...field} label={label} help={help} optional={optional}>
      <div ref={place} className="grid grid-cols-1 gap-2">
        <Suspense>{file && <ChosenPhoto label={label} file={file} fill={fill} />}</Suspense>
        {byCamera && file && <Evidence file={file} place={spot} />}
        <PhotoPicker
          label={label}
          again={file !== undefined}
          byCamera={byCamera}
          take={keep}
          box={{ ...field.described, id: field.id, name, required: field.required }}
        />
      </div>
    </FieldFrame>
  )
}

/**
 * The picture of a form on this device, until its form is accepted. Evidence is put back after a reload: its page has one
 * such form.
 */
function useKeptPhoto(place: RefObject<HTMLDivElement | null>, isPutBack: boolean) {
  const { owner: personId = '' } = (useRouteLoaderData('app/screens/layouts/internal') ?? {}) as {
    owner?: string
  }
  const { pathname } = useLocation()
  const [once] = useState(() => crypto.randomUUID())
  const { add, pictures, remove } = useTray({ personId, appointmentId: isPutBack ? pathname : once })
  const empty = () => {
    for (const { id } of pictures) remove(id)
  }
  useEffect(() =>
    watchAnswers((form, isAccepted) => void (isAccepted && form.contains(place.current) && empty())),
  )
  const keep = (chosen: File) => {
    empty()
    add([chosen])
  }
  return { file: pictures.at(-1)?.file, keep }
}

/** A camera's picture is as new as its file; the clock of another device may be ahead. */
const takenAt = ({ lastModified }: File) => new Date(Math.min(lastModified, Date.now())).toISOString()

/** Where the phone is, as a form sends it; blank where it does not say. */
const locate = (take: (place: string) => void) =>
  navigator.geolocation?.getCurrentPosition(
    ({ coords: { latitude, longitude } }) => take(`${latitude.toFixed(6)},${longitude.toFixed(6)}`),
    () => take(''),
    { enableHighAccuracy: true, maximumAge: 30_000, timeout: 20_000 },
  )

const Evidence = ({ file, place }: { file: File; place: string }) => (
  <>
    <input type="hidden" name="takenAt" value={takenAt(file)} />
    <input type="hidden" name="place" value={place} />
  </>
)
