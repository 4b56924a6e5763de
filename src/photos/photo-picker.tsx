import { Camera, Images } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { Field, FieldNotes } from '../kit/form/field.tsx'
import { Form, Submit, useFieldResult } from '../kit/form/form.tsx'
import { type ButtonVariant, buttonClass } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'

type PhotoPickerProps = {
  /** The slot's name: several pickers are on one screen. */
  label: string
  /** There is a picture already. */
  again?: boolean
  variant?: ButtonVariant
  take: (file: File) => void
  /** One taken before is no evidence. */
  byCamera?: boolean
  /** Of the box that a form sends. */
  box?: Omit<ComponentProps<'input'>, 'ref'>
}

/** Without JavaScript a file box. */
const asBox = 'noscript:grid noscript:justify-items-start noscript:py-3'

/** The two ways to add a picture: the camera, or one taken before. Without JavaScript the one box that a form sends. */
export function PhotoPicker({ label, again, byCamera, variant = 'ghost', take, box }: PhotoPickerProps) {
  const verb = again ? 'Tomar otra' : 'Tomar foto'
  return (
    <div className="grid grid-cols-[1fr_auto] gap-2 noscript:grid-cols-1">
      <Picker
        className={buttonClass(variant, byCamera ? asBox : 'noscript:hidden')}
        accept="image/*"
        capture="environment"
        aria-label={`${verb}: ${label}`}
        {...(byCamera && box)}
        take={(file) => take(file)}
      >
        <Camera aria-hidden className={classNames('size-5', variant === 'ghost' && 'text-brand')} />
        {verb}
      </Picker>
      {!byCamera && (
        <Picker
          className={buttonClass('ghost', asBox)}
          name="photo"
          accept="image/*"
          aria-label={`Elegir de la galería: ${label}`}
          {...box}
          take={(file) => take(file)}
        >
          <Images aria-hidden className="size-5 text-brand noscript:hidden" />
          <span className="noscript:hidden">Galería</span>
          <span className="hidden noscript:inline">{verb}</span>
        </Picker>
      )}
    </div>
  )
}

/** A photo of a signed paper, for a person who can't draw on the screen. */
export const PaperPicker = ({ label, take }: Pick<PhotoPickerProps, 'label' | 'take'>) => (
  <Picker
    className={buttonClass('ghost', 'px-2.5! noscript:grid noscript:justify-items-start noscript:py-3')}
    name="photo"
    accept="image/*"
    aria-label={`Subir foto de la firma: ${label}`}
    take={(file) => take(file)}
  >
    <Images aria-hidden className="size-5 text-brand noscript:hidden" />
    Subir foto de la firma
  </Picker>
)

type PickerProps = ComponentProps<'input'> & {
  /** Takes the file; of several that were chosen at once all of them, too. */
  take: (file: File, all: File[]) => void
}

/** A file box that looks like a button. A file chosen before hydration is taken too. */
export function Picker({ className, children, take, ...input }: PickerProps) {
  const box = useRef<HTMLInputElement>(null)
  const early = useRef(true)
  const takeFrom = (from: HTMLInputElement) => {
    const files = [...(from.files ?? [])]
    // Empty again, so that the same picture can be chosen once more.
    from.value = ''
    if (files[0]) take(files[0], files)
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

type PhotoFormProps = {
  slot: string
  /** Whether a reason for keeping it may be needed. */
  asksWhy: boolean
  children: ReactNode
}

/** Sends the picture of a slot. Its boxes submit by themselves; without JavaScript its button does. */
export const PhotoForm = ({ slot, asksWhy, children }: PhotoFormProps) => (
  <Form intent="photo" target={{ slot }} encType="multipart/form-data" className="gap-3">
    <Sent>{children}</Sent>
    <div className="hidden gap-4 noscript:grid">
      {asksWhy && (
        <Field
          label="Si no se ve bien, ¿por qué la conservas?"
          name="keptBecause"
          optional
          maxLength={longestReason}
        />
      )}
      <Submit variant="ghost">Guardar {asksWhy ? 'foto' : 'firma'}</Submit>
    </div>
  </Form>
)

/** The boxes to take or choose the picture with, and what was wrong with the one that was sent. */
function Sent({ children }: { children: ReactNode }) {
  const { error, id } = useFieldResult('photo')
  return (
    <div id={id} className="contents">
      {children}
      {id && <FieldNotes id={id} error={error} />}
    </div>
  )
}

/** Characters that a reason may have. */
export const longestReason = 300
