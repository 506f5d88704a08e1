// Short names for the types of the host's part of the API.
import type { components } from "../../api/schema";

type Shapes = components["schemas"];

export type HostState = Shapes["HostState"];
export type HostParticipant = Shapes["HostParticipant"];
export type HostTable = Shapes["HostTable"];
export type HostSeat = Shapes["HostSeat"];
export type HostRequest = Shapes["HostRequest"];
export type HostReply = Shapes["HostReply"];
export type PaymentRow = Shapes["PaymentRow"];
export type Payments = Shapes["Payments"];
export type ClassResults = Shapes["ClassResults"];
export type ClassGame = Shapes["ClassGame"];
export type ClassMeasure = Shapes["ClassMeasure"];
export type ClassSeries = Shapes["ClassSeries"];
