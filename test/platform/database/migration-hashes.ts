/**
 * The SHA-256 of every merged migration's text. A database remembers what it was made with, and a start refuses another text
 * of it: a merged migration never changes here. A new one gets its line with it.
 */
export const migrationHashes: Record<string, string> = {
  '0079_baseline.sql': '15e1d7923d04446e1c19826bdf432da8da52ce0f649ad8c45c3edcc9b3b953b4',
  '0080_busy_calendars.sql': 'a932e9f42d991ea11d713dbf8112ff8370ee4bec86741fd027e49d2994107d64',
  '0081_staff_papers.sql': '7839471efb959a4fac1083b082fe7e5150d509173d1a38832ae72a763850abec',
  '0082_work_marks.sql': 'cb8180e138aeb51e1ab689d81c51f56206ab809485ebca0a2f5fee919eb83f0d',
}
