import { useState } from 'react'
import { Field } from '../../kit/form/field.tsx'
import { useFieldResult } from '../../kit/form/form.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { acceptedFor, type DocumentPurpose, sizesFor } from '../rules/document.ts'
import { useFileFault } from './use-file-fault.ts'

type DocumentFieldProps = {
  purpose: DocumentPurpose
  label: string
  name?: string
  help?: string
  optional?: boolean | 'unsaid'
}

/** A box to choose a document with; its form needs `encType="multipart/form-data"`. */
export function DocumentField({ purpose, label, name = 'file', help, optional }: DocumentFieldProps) {
  const { typed: sent } = useFieldResult(`${name}.sent`)
  const [file, setFile] = useState<File | null>(null)
  // With JavaScript the box still has the file.
  const isLost = !useHydrated() && sent !== undefined
  return (
    <Field
      type="file"
      accept={acceptedFor(purpose)}
      error={useFileFault(purpose, file)}
      onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
      help={
        <>
          {help} {`${sizesFor(purpose)}.`}
          {isLost && <strong> Elige otra vez «{sent}»: tu navegador no lo conserva.</strong>}
        </>
      }
      label={label}
      name={name}
      optional={optional}
    />
  )
}
