import { z } from 'zod'
import { staleForm } from '../shared/seen-version.ts'
import { lengthOf, tidyLines } from '../shared/tidy.ts'

const description = z.preprocess(
  tidyLines,
  z
    .string()
    .refine((text) => lengthOf(text) >= 10, 'Cuéntanos qué pasa, con al menos 10 caracteres.')
    .refine((text) => lengthOf(text) <= 2000, 'Usa como máximo 2000 caracteres.'),
)

const about = { appointmentId: z.uuid(staleForm), faultId: z.uuid(staleForm), photoId: z.uuid(staleForm) }
const reporting = z.object({ ...about, description })

/** A customer reports a fault, or adds a photo to it; ids were made with the form, so that sending it twice does it once. */
export const faultInput = { 'report-fault': reporting, 'add-fault-photo': z.object(about) }
export type FaultReport = z.output<typeof reporting>
