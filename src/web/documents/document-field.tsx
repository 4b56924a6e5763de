import { acceptedFor, type DocumentPurpose, sizesFor } from '../../domain/document.ts'
import { Field } from '../ui/field.tsx'

type DocumentFieldProps = {
  purpose: DocumentPurpose
  label: string
  name?: string
  help?: string
  optional?: boolean
}

/** A box to choose a document with; its form needs `encType="multipart/form-data"`. */
export function DocumentField({ purpose, label, name = 'file', help, optional }: DocumentFieldProps) {
  const sizes = `${sizesFor(purpose)}.`
  return (
    <Field
      type="file"
      accept={acceptedFor(purpose)}
      help={help ? `${help} ${sizes}` : sizes}
      {...{ label, name, optional }}
    />
  )
}
