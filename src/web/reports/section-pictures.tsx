import { isSignature } from '../../domain/reports/photos.ts'
import type { Section, Sheet } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { PhotoField } from '../photos/photo-field.tsx'
import { SignatureField } from '../photos/signature-field.tsx'
import type { FormResult } from '../ui/form.tsx'
import { takenIn } from './taken.ts'

type SectionPicturesProps = {
  sheet: Sheet
  draft: Draft
  section: Section
  /** Who fills the sheet in. */
  author: string
  /** What a form of this screen heard. */
  result: FormResult | undefined
}

/** The photos and signatures of a section; of those that may be added, the ones there are and room for one more. */
export function SectionPictures({ sheet, draft, section, author, result }: SectionPicturesProps) {
  const { slots, extra = [] } = section
  const heard = (slot: string) => (result?.values.slot === slot ? result : undefined)
  const taken = takenIn(draft)
  const free = extra.find((slot) => !taken.has(slot))
  const { customerName } = draft.answers
  const signers: Record<string, string | null> = {
    signature_technician: author,
    signature_customer: typeof customerName === 'string' ? customerName : null,
  }
  return (
    <>
      {slots.map((slot) =>
        isSignature(slot) ? (
          <SignatureField
            key={slot}
            {...{ sheet, draft, slot }}
            signer={signers[slot] ?? null}
            result={heard(slot)}
          />
        ) : (
          <PhotoField key={slot} {...{ sheet, draft, slot }} result={heard(slot)} />
        ),
      )}
      {extra
        .filter((slot) => taken.has(slot) || slot === free)
        .map((slot) => (
          <PhotoField key={slot} {...{ sheet, draft, slot }} optional result={heard(slot)} />
        ))}
    </>
  )
}
