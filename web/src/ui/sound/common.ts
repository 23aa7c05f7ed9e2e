/** What sounds the same wherever one is, to be heard. */
import { Hearing } from "./hearing";

export const common = new Hearing(() => import("./commonSounds").then(({ COMMON }) => COMMON));
