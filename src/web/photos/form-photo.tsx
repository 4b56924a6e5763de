import { Suspense, useEffect, useRef } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { largestFile } from '../../domain/reports/photos.ts'
import { lazyOr } from '../lib/later.tsx'
import { watchAnswers } from '../offline/unsent.ts'
import { FieldFrame, type FieldProps, useField } from '../ui/field.tsx'
import { PhotoPicker } from './photo-picker.tsx'
import { useTray } from './photo-tray.tsx'

/** Its code comes with the first picture; without it the picture goes as it is. */
const ChosenPhoto = lazyOr(
  () => import('./chosen-photo.tsx').then((part) => part.ChosenPhoto),
  ({ file }) => <p className="wrap-anywhere text-mute">{file.name}</p>,
)

/**
 * The photo that a form sends with its other fields. It is looked at once it is chosen, and made smaller where it is
 * too large to be sent; a doubtful one may go as it is. This device keeps it until its form is accepted. Without
 * JavaScript it is one box.
 */
export default function FormPhoto({ label, name, help, optional }: FieldProps & { label: string }) {
  const field = useField({ name, help, optional })
  const place = useRef<HTMLDivElement>(null)
  const { owner = '' } = (useRouteLoaderData('app/layouts/internal') ?? {}) as { owner?: string }
  const { add, pictures, remove } = useTray({ personId: owner, appointmentId: useLocation().pathname + help })
  const file = pictures.at(-1)?.file
  const fill = (picture: File | null) => {
    const box = place.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)
    const files = new DataTransfer()
    if (picture) files.items.add(picture)
    if (box) box.files = files.files
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each picture once
  useEffect(() => {
    // It may be sent before it was looked at; what no server takes is not.
    if (file) fill(file.size <= largestFile ? file : null)
  }, [file])
  const empty = () => {
    for (const { id } of pictures) remove(id)
  }
  useEffect(() =>
    watchAnswers((form, isAccepted) => void (isAccepted && form.contains(place.current) && empty())),
  )
  return (
    <FieldFrame {...field} label={label} help={help} optional={optional}>
      <div ref={place} className="grid grid-cols-1 gap-2">
        <Suspense>{file && <ChosenPhoto label={label} file={file} fill={fill} />}</Suspense>
        <PhotoPicker
          label={label}
          again={file !== undefined}
          take={(chosen) => {
            empty()
            add([chosen])
          }}
          box={{ ...field.described, id: field.id, name, required: field.required }}
        />
      </div>
    </FieldFrame>
  )
}
