import type { Count } from '../../domain/appointments/list.ts'
import { thousands } from '../../domain/shared/format.ts'

/** How many there are, as a list or a figure says it: "12", "más de 1,000". */
export const countWords = ({ total, isMore }: Count) => `${isMore ? 'más de ' : ''}${thousands(total)}`
