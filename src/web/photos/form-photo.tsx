import { type ComponentProps, type ComponentType, lazy, Suspense, useRef, useState } from 'react'
import { largestFile } from '../../domain/reports/photos.ts'
import { FieldFrame, type FieldProps, useField } from '../ui/field.tsx'
import type { ChosenPhoto as Chosen } from './chosen-photo.tsx'
import { PhotoPicker } from './photo-picker.tsx'

/** Its code comes with the first picture; without it the picture goes as it is. */
const ChosenPhoto = lazy(
  (): Promise<{ default: ComponentType<ComponentProps<typeof Chosen>> }> =>
    import('./chosen-photo.tsx').then(
      (part) => ({ default: part.ChosenPhoto }),
      () => ({ default: ({ file }) => <p className="wrap-anywhere text-mute">{file.name}</p> }),
    ),
)

type FormPhotoProps = FieldProps & { label: string; byCamera?: boolean }

/**
 * The photo that a form sends with its other fields. It is looked at once it is chosen, and made smaller where it is
 * too large to be sent; a doubtful one may go as it is. Without JavaScript it is one box. `byCamera`: it is evidence, sent
 * with when it was taken and, where the phone says it, where.
 */
export default function FormPhoto({ label, name, help, optional, byCamera = false }: FormPhotoProps) {
  const field = useField({ name, help, optional })
  const place = useRef<HTMLDivElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [spot, setSpot] = useState('')
  const fill = (picture: File | null) => {
    const box = place.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)
    const files = new DataTransfer()
    if (picture) files.items.add(picture)
    if (box) box.files = files.files
  }
  const take = (chosen: File) => {
    // It may be sent before it was looked at; what no server takes is not.
    fill(chosen.size <= largestFile ? chosen : null)
    setFile(chosen)
    if (byCamera) locate(setSpot)
  }
  return (
    <FieldFrame {...field} label={label} help={help} optional={optional}>
      <div ref={place} className="grid grid-cols-1 gap-2">
        <Suspense>{file && <ChosenPhoto label={label} file={file} fill={fill} />}</Suspense>
        {byCamera && file && <Evidence file={file} place={spot} />}
        <PhotoPicker
          label={label}
          again={file !== null}
          byCamera={byCamera}
          take={take}
          box={{ ...field.described, id: field.id, name, required: field.required }}
        />
      </div>
    </FieldFrame>
  )
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
