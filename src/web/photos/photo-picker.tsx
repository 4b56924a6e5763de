import { Camera, Images } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type ButtonVariant, buttonClass } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'

type PhotoPickerProps = {
  /** The slot's name: several pickers stand on one screen. */
  label: string
  /** There is a picture already. */
  again?: boolean
  variant?: ButtonVariant
  take: (file: File) => void
}

/** The two ways to a picture: the camera, or one taken before. Without JavaScript the one box that a form sends. */
export function PhotoPicker({ label, again = false, variant = 'ghost', take }: PhotoPickerProps) {
  const verb = again ? 'Tomar otra' : 'Tomar foto'
  return (
    <div className="grid grid-cols-[1fr_auto] gap-2 noscript:grid-cols-1">
      <Picker
        className={buttonClass(variant, 'noscript:hidden')}
        accept="image/*"
        capture="environment"
        aria-label={`${verb}: ${label}`}
        take={take}
      >
        <Camera aria-hidden className={classNames('size-5', variant === 'ghost' && 'text-brand')} />
        {verb}
      </Picker>
      <Picker
        className={buttonClass('ghost', 'noscript:grid noscript:justify-items-start noscript:py-3')}
        name="photo"
        accept="image/*"
        aria-label={`Elegir de la galería: ${label}`}
        take={take}
      >
        <Images aria-hidden className="size-5 text-brand noscript:hidden" />
        <span className="noscript:hidden">Galería</span>
        <span className="hidden noscript:inline">{verb}</span>
      </Picker>
    </div>
  )
}

/** A photo of a signed paper, for who can't draw on the screen. */
export const PaperPicker = ({ label, take }: Pick<PhotoPickerProps, 'label' | 'take'>) => (
  <Picker
    className={buttonClass('ghost', 'noscript:grid noscript:justify-items-start noscript:py-3')}
    name="photo"
    accept="image/*"
    aria-label={`Subir foto de la firma: ${label}`}
    take={take}
  >
    <Images aria-hidden className="size-5 text-brand noscript:hidden" />
    Subir foto de la firma
  </Picker>
)

type PickerProps = React.ComponentProps<'input'> & { take: (file: File) => void }

/** A file box that looks like a button. What was chosen before the page was taken over is taken too. */
function Picker({ className, children, take, ...input }: PickerProps) {
  const box = useRef<HTMLInputElement>(null)
  const early = useRef(true)
  const takeFrom = (from: HTMLInputElement) => {
    const [file] = from.files ?? []
    // Empty again, so that the same picture can be chosen once more.
    from.value = ''
    if (file) take(file)
  }
  useEffect(() => {
    if (early.current && box.current?.files?.length) takeFrom(box.current)
    early.current = false
  })
  return (
    <label
      className={classNames(
        className,
        'relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
      )}
    >
      {children}
      <input
        {...input}
        ref={box}
        type="file"
        className="absolute inset-0 cursor-pointer opacity-0 noscript:static noscript:w-full noscript:opacity-100"
        onChange={(event) => takeFrom(event.currentTarget)}
      />
    </label>
  )
}
