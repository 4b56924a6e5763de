import { Camera, FileText, Upload } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { acceptedFor, sizesFor } from '../../documents/rules/document.ts'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { useFileFault } from '../../documents/screens/use-file-fault.ts'
import { Field, FieldFrame, Select, useField } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFieldResult } from '../../kit/form/form.tsx'
import { fileSize } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import { reviewPromise } from '../rules/payment.ts'
import { bankOptions } from './account-table.tsx'
import type { OwnPayment } from './forms.ts'

type ProofProps = { payment: OwnPayment }

/** The bank's paper of a transfer, and the key by which the bank finds it. */
export const ProofForm = ({ payment: { id, version } }: ProofProps) => (
  <Form intent="send-proof" target={{ paymentId: id }} encType="multipart/form-data">
    <input type="hidden" name="version" value={version} />
    <ProofFields />
    <div className="grid gap-2">
      <Submit>Enviar comprobante</Submit>
      <p className="text-sm text-mute">{reviewPromise}.</p>
    </div>
  </Form>
)

/** A proof that waits for its review: it can be changed, or taken back, until then. */
export function ProofInReview({ payment }: ProofProps) {
  const { id, proof, trackingKey, version } = payment
  const target = { paymentId: id }
  return (
    <>
      <Alert tone="info" title="Estamos revisando tu transferencia">
        Buscamos la clave de rastreo {trackingKey}. {reviewPromise} y te avisamos por correo.
      </Alert>
      {proof && <DocumentLink document={proof}>Tu comprobante</DocumentLink>}
      <FormDetails
        summary="Cambiar mi comprobante"
        intent="replace-proof"
        target={target}
        encType="multipart/form-data"
      >
        <input type="hidden" name="version" value={version} />
        <ProofFields sent={payment} />
        <Submit>Cambiar comprobante</Submit>
      </FormDetails>
      <Form intent="take-back-proof" target={target} className="justify-items-start">
        <input type="hidden" name="version" value={version} />
        <Submit variant="ghost">Retirar mi comprobante</Submit>
      </Form>
    </>
  )
}

/** `sent`: what is changed; without another file its own stays. */
const ProofFields = ({ sent }: { sent?: Pick<OwnPayment, 'bank' | 'trackingKey'> }) => (
  <>
    <ProofFile optional={sent !== undefined} />
    <Select
      label="Banco desde el que pagaste"
      name="bank"
      placeholder="Elige un banco"
      options={bankOptions}
      defaultValue={sent?.bank}
    />
    <Field
      label="Clave de rastreo"
      name="trackingKey"
      help="Viene en el comprobante de tu banco."
      defaultValue={sent?.trackingKey ?? ''}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
    />
  </>
)

const purpose = 'payment_proof'

/**
 * Where the file is dropped, chosen or photographed, and shown before it is sent. It is one box of a form: without
 * scripts the browser's own, with them drawn over.
 */
function ProofFile({ optional }: { optional: boolean }) {
  const help = <ProofHelp optional={optional} />
  const [file, setFile] = useState<File | null>(null)
  const fault = useFileFault(purpose, file)
  const { described, error, id, required } = useField({ name: 'file', help, error: fault, optional })
  const box = useRef<HTMLInputElement>(null)
  const take = () => setFile(box.current?.files?.[0] ?? null)
  // It may have been chosen before the script came.
  useEffect(take, [])
  return (
    <FieldFrame id={id} label="Comprobante" help={help} error={error} optional={optional}>
      <div
        className={classNames(
          'relative grid place-items-center gap-2 rounded-control border-2 border-dashed bg-card p-4 text-center noscript:block noscript:border-0 noscript:p-0',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
          error ? 'border-bad' : 'border-edge hover:bg-hover',
        )}
      >
        <Dropped file={file} />
        <input
          {...described}
          ref={box}
          id={id}
          required={required}
          type="file"
          name="file"
          accept={acceptedFor(purpose)}
          onChange={take}
          className="absolute inset-0 w-full cursor-pointer opacity-0 noscript:static noscript:opacity-100"
        />
      </div>
      <TakePicture
        take={(event) => {
          if (!box.current || !event.currentTarget.files?.length) return
          box.current.files = event.currentTarget.files
          take()
        }}
      />
    </FieldFrame>
  )
}

function ProofHelp({ optional }: { optional: boolean }) {
  const { typed: lost } = useFieldResult('file.sent')
  const isLost = !useHydrated() && lost !== undefined
  return (
    <>
      {optional && 'Si no eliges otro, se queda el que enviaste. '}
      {sizesFor(purpose)}.{isLost && <strong> Elige otra vez «{lost}»: tu navegador no lo conserva.</strong>}
    </>
  )
}

/** What lies in the box; the box itself says the same to screen readers. */
const Dropped = ({ file }: { file: File | null }) => (
  <div aria-hidden className="grid justify-items-center gap-2 noscript:hidden">
    {file ? <Preview file={file} /> : <Upload className="size-6 text-brand" />}
    <span className="font-semibold">
      {file ? 'Elegir otro' : 'Elige tu comprobante'}
      {!file && <span className="pointer-coarse:hidden"> o arrástralo aquí</span>}
    </span>
  </div>
)

/** The camera of a phone; its picture goes into the box. */
const TakePicture = ({ take }: { take: (event: ChangeEvent<HTMLInputElement>) => void }) => (
  <label
    className={buttonClass(
      'ghost',
      'relative justify-self-start pointer-fine:hidden noscript:hidden has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
    )}
  >
    <Camera aria-hidden className="size-5 shrink-0 text-brand" />
    Tomar foto
    <input
      type="file"
      accept="image/*"
      capture="environment"
      onChange={take}
      className="absolute inset-0 w-full cursor-pointer opacity-0"
    />
  </label>
)

/** The picture itself where the browser can draw it, and the name of anything. */
function Preview({ file }: { file: File }) {
  const [source, setSource] = useState<string | null>(null)
  useEffect(() => {
    if (!/^image\/(jpeg|png|webp)$/.test(file.type)) return
    const made = URL.createObjectURL(file)
    setSource(made)
    return () => {
      setSource(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return (
    <>
      {source ? (
        <img src={source} alt="" className="max-h-48 rounded-control object-contain" />
      ) : (
        <FileText className="size-8 text-brand" />
      )}
      <span className="text-sm wrap-anywhere">
        {file.name} <span className="text-mute">{fileSize(file.size)}</span>
      </span>
    </>
  )
}
